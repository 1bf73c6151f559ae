import { createHash } from "node:crypto";

/** RFC 4122's namespace for domain names; other tools hash chunk ids under it too. */
const NAMESPACE = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");

/** UUID version 5: Qdrant accepts no other strings as ids. */
export function pointId(name: string): string {
  const hash = createHash("sha1").update(NAMESPACE).update(name, "utf8").digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
