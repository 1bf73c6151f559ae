import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Certificate,
  copyCertificate,
  makeCertificate,
  opensslIsInstalled,
} from "../../tests/support/certificates.js";
import { createLog } from "../kernel/log.js";
import { createMetrics } from "../kernel/metrics.js";
import { tlsListener } from "./tls.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

function certificate(options: { days?: number; name?: string } = {}): Certificate {
  const made = makeCertificate(options);
  cleanups.push(() => rmSync(dirname(made.cert), { recursive: true, force: true }));
  return made;
}

async function serve({ cert, key }: Certificate, now?: () => number) {
  const lines: string[] = [];
  const metrics = createMetrics();
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const listener = tlsListener({
    certFile: cert,
    keyFile: key,
    log,
    metrics,
    lookEveryMs: 20,
    ...(now ? { now } : {}),
  });
  const server = listener((_request, response) => void response.end("read on"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, lines, metrics };
}

/** What is served, and under whose name. */
function visit(port: number, ca: string): Promise<{ text: string; name: string }> {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, ca, agent: false }, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate();
      let text = "";
      response.on("data", (part: Buffer) => {
        text += part;
      });
      response.on("end", () => resolve({ text, name: String(subject.CN) }));
    });
    request.on("error", reject);
  });
}

describe.skipIf(!opensslIsInstalled)("HTTPS without a proxy", () => {
  it("serves under the certificate it was given", async () => {
    const files = certificate({ name: "first" });
    const { port, lines, metrics } = await serve(files);
    expect(await visit(port, readFileSync(files.cert, "utf8"))).toEqual({ text: "read on", name: "first" });
    expect(lines).toEqual([]);
    expect(await metrics.text()).toMatch(/^bookwheel_tls_certificate_expires_timestamp_seconds 1\.?\d+/m);
  });

  it("takes a renewed certificate without a restart, and not half of one", async () => {
    const files = certificate({ name: "first" });
    const [first, second] = [readFileSync(files.cert, "utf8"), certificate({ name: "second" })];
    const { port, lines } = await serve(files);
    copyFileSync(second.cert, files.cert);
    await expect.poll(() => lines.join()).toContain("not the key of the certificate");
    expect(await visit(port, first)).toMatchObject({ name: "first" });
    writeFileSync(files.cert, "half a certif");
    await expect.poll(() => lines.join()).toContain("in PEM form");
    copyCertificate(second, files);
    await expect.poll(() => lines.join()).toContain("was reloaded");
    expect(await visit(port, readFileSync(second.cert, "utf8"))).toMatchObject({ name: "second" });
  });

  it("warns before the certificate expires, once a day, and says when it has", async () => {
    let now = Date.now() + 60_000; // a minute on, so that the certificate has less than ten days however slow it is made
    const { lines } = await serve(certificate({ days: 10 }), () => now);
    expect(lines.join()).toMatch(/expires soon.*"days_left":9/);
    now += 23 * 3600_000;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(lines).toHaveLength(1);
    now += 10 * 24 * 3600_000;
    await expect.poll(() => lines.join()).toContain("has expired");
  });

  it("does not start with files it cannot use, and says which", () => {
    const { cert, key } = certificate();
    const options = { log: createLog("error"), metrics: createMetrics() };
    expect(() => tlsListener({ ...options, certFile: `${cert}.gone`, keyFile: key })).toThrow(/TLS_CERT_FILE.*gone/);
    expect(() => tlsListener({ ...options, certFile: key, keyFile: cert })).toThrow(/PEM form/);
  });
});
