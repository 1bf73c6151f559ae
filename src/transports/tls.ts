import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { ConfigError } from "../config/config.js";
import type { Log } from "../kernel/log.js";
import type { Metrics } from "../kernel/metrics.js";
import { CONNECTIONS } from "./connections.js";
import type { HttpOptions } from "./http.js";

interface TlsOptions {
  certFile: string;
  keyFile: string;
  log: Log;
  metrics: Metrics;
  /** How often the files are checked. */
  lookEveryMs?: number;
  now?: () => number;
}

interface Pair {
  cert: string;
  key: string;
  expires: number;
}

const LOOK_EVERY_MS = 10_000;
const DAY_MS = 24 * 3600_000;
const WARN_MS = 21 * DAY_MS;

/** HTTPS without a proxy, for `startHttp`: a certificate renewed on disk is used for the next connection. */
export function tlsListener(options: TlsOptions): NonNullable<HttpOptions["listener"]> {
  const { log, metrics, lookEveryMs = LOOK_EVERY_MS, now = Date.now } = options;
  let pair = startingPair(options);
  let complained = "";
  let warnedAt = 0;
  metrics.gauge(
    "bookwheel_tls_certificate_expires_timestamp_seconds",
    "When the certificate in use expires, in seconds since 1970.",
    () => pair.expires / 1000,
  );

  function warnOfExpiry(): void {
    const left = pair.expires - now();
    if (left > WARN_MS || now() - warnedAt < DAY_MS) return;
    warnedAt = now();
    const expires = new Date(pair.expires).toISOString();
    if (left <= 0) log.error("the TLS certificate has expired: clients will refuse it", { expires });
    else log.warn("the TLS certificate expires soon", { expires, days_left: Math.floor(left / DAY_MS) });
  }

  // Compared by content: mounted secrets are swapped by symbolic links, which file watching misses.
  function look(server: Server): void {
    warnOfExpiry();
    const files = readFiles(options);
    if ("cert" in files && files.cert === pair.cert && files.key === pair.key) return;
    const next = "cert" in files ? checked(files) : files;
    if ("problem" in next) {
      // Logged once per problem: a renewal writes one file after the other, and the next check may succeed.
      if (complained !== next.problem) log.warn("the TLS files changed but cannot be used; the old ones stay", next);
      complained = next.problem;
      return;
    }
    server.setSecureContext({ cert: next.cert, key: next.key, minVersion: "TLSv1.2" });
    pair = next;
    complained = "";
    warnedAt = 0;
    log.info("the TLS certificate was reloaded", { expires: new Date(pair.expires).toISOString() });
    warnOfExpiry();
  }

  return (handle) => {
    const server = createServer({ ...CONNECTIONS, cert: pair.cert, key: pair.key, minVersion: "TLSv1.2" }, handle);
    warnOfExpiry();
    const looking = setInterval(() => look(server), lookEveryMs).unref();
    server.once("close", () => clearInterval(looking));
    return server;
  };
}

function startingPair(options: TlsOptions): Pair {
  const files = readFiles(options);
  const pair = "cert" in files ? checked(files) : files;
  if ("problem" in pair) throw new ConfigError([pair.problem]);
  return pair;
}

function readFiles({ certFile, keyFile }: TlsOptions): { cert: string; key: string } | { problem: string } {
  try {
    return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  } catch (error) {
    return { problem: `TLS_CERT_FILE and TLS_KEY_FILE must be readable (${(error as Error).message})` };
  }
}

function checked({ cert, key }: { cert: string; key: string }): Pair | { problem: string } {
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      return { problem: "TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE" };
    return { cert, key, expires: Date.parse(certificate.validTo) };
  } catch {
    // The library's own words may quote what is in the files.
    return {
      problem:
        "TLS_CERT_FILE and TLS_KEY_FILE must be a certificate and its private key without a passphrase, in PEM form",
    };
  }
}
