import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const opensslIsInstalled = spawnSync("openssl", ["version"]).status === 0;
if (!opensslIsInstalled) console.log("skipped: what needs certificates (install openssl)");

export interface Certificate {
  cert: string;
  key: string;
}

/** A self-signed certificate for localhost, in a temporary folder unless a folder is given. */
export function makeCertificate({ days = 90, name = "localhost", folder = temporaryFolder() } = {}): Certificate {
  const [cert, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const made = spawnSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      String(days),
      "-keyout",
      key,
      "-out",
      cert,
      ...subject,
    ],
    { encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`);
  return { cert, key };
}

export function copyCertificate(from: Certificate, to: Certificate): void {
  copyFileSync(from.cert, to.cert);
  copyFileSync(from.key, to.key);
}

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), "bookwheel-tls-"));
