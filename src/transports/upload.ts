import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Refusal } from "./http-guards.js";

const MAX_UPLOAD_BYTES = 512 * 1024 * 1024;
const PREFIX = "/files/";
const FOLDER = /^[A-Za-z0-9-]{1,64}$/;
// Names that file systems refuse, or that would leave the folder.
const FORBIDDEN = /[\p{Cc}/\\:*?"<>|]/u;

/** A file that was put there; `path` is what add_source and ingest_documents take. */
interface Uploaded {
  path: string;
  /** The folder of this upload: files sent together are in the same folder. */
  folder: string;
  name: string;
  bytes: number;
  sha256: string;
}

export const isUpload = (path: string): boolean => path.startsWith(PREFIX);

/**
 * `PUT /files/FOLDER/NAME` stores the body as a file below the data folder. It streams to the disk and gets its name
 * only once it is complete; a file of the same name in the same folder is replaced.
 */
export async function receiveUpload(request: IncomingMessage, path: string, root: string): Promise<Uploaded | Refusal> {
  if (request.method !== "PUT")
    return { status: 405, message: "Send a file with PUT /files/FOLDER/NAME.", headers: { allow: "PUT" } };
  const [folderName = "", encoded = "", ...more] = path.slice(PREFIX.length).split("/");
  const name = decoded(encoded);
  if (!FOLDER.test(folderName) || more.length > 0 || !isFileName(name))
    return {
      status: 400,
      message: "An upload goes to /files/FOLDER/NAME: FOLDER of letters, digits and hyphens, NAME a plain file name.",
    };
  if (Number(request.headers["content-length"] ?? 0) > MAX_UPLOAD_BYTES) return tooLarge;

  const folder = join(root, folderName);
  const incoming = join(root, `.incoming-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      hash.update(part);
      done(bytes > MAX_UPLOAD_BYTES ? new TooLarge() : null, part);
    },
  });
  try {
    await pipeline(request, measured, createWriteStream(incoming, { mode: 0o600, flush: true }));
    const target = join(folder, name);
    await rename(incoming, target);
    return { path: target, folder, name, bytes, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(incoming, { force: true });
    if (error instanceof TooLarge) return tooLarge;
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      return {
        status: 507,
        message: "The disk is full; nothing of the file was kept. Free some room and send it again.",
      };
    throw error;
  }
}

class TooLarge extends Error {}

const tooLarge: Refusal = {
  status: 413,
  message: `A file has at most ${MAX_UPLOAD_BYTES / 1024 ** 2} MiB. 'bookwheel ingest' reads larger ones from the disk.`,
  headers: { connection: "close" },
};

/** Most file systems take 255 bytes. */
const MAX_NAME_BYTES = 255;

function isFileName(name: string | undefined): name is string {
  return (
    name !== undefined &&
    name.length > 0 &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    !name.startsWith(".") &&
    !FORBIDDEN.test(name)
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return undefined;
  }
}
