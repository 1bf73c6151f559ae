import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { receiveUpload } from "./upload.js";

describe("an uploaded file", () => {
  let root: string;
  let url: string;
  let close: () => Promise<void>;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "bookwheel-files-"));
    const server = createServer((request, response) => {
      receiveUpload(request, request.url!, root).then(
        (result) => response.writeHead("status" in result ? result.status : 201).end(JSON.stringify(result)),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => new Promise((resolve) => server.close(() => resolve()));
  });
  afterEach(async () => {
    await close();
    await rm(root, { recursive: true });
  });

  const put = (path: string, body: string, method = "PUT") => fetch(url + path, { method, body });

  it("lies in its folder under its own name, readable by its owner alone", async () => {
    const answer = await put("/files/batch-1/On%20Reading.md", "# On Reading");
    expect(answer.status).toBe(201);
    const { path, bytes } = (await answer.json()) as { path: string; bytes: number };
    expect(path).toBe(join(root, "batch-1", "On Reading.md"));
    expect(bytes).toBe(12);
    expect(await readFile(path, "utf8")).toBe("# On Reading");
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("is replaced by another of its name", async () => {
    await put("/files/b/a.txt", "one");
    await put("/files/b/a.txt", "two");
    expect(await readdir(join(root, "b"))).toEqual(["a.txt"]);
    expect(await readFile(join(root, "b", "a.txt"), "utf8")).toBe("two");
  });

  it.each([
    ["/files/b/..%2Fescape.txt"],
    ["/files/../escape.txt"],
    ["/files/b/.hidden"],
    ["/files/b/"],
    ["/files/b/c/d.txt"],
    ["/files/b/%ff"],
    ["/files/b%20b/a.txt"],
    ["/files/b/a%00.txt"],
    [`/files/b/${"%F0%9F%8C%8A".repeat(64)}`],
  ])("never leaves the folder: %s is refused", async (path) => {
    // `fetch` tidies dots away, so the line is written by hand.
    const status = await new Promise<number>((resolve, reject) => {
      httpRequest(url, { path, method: "PUT" }, (response) => resolve(response.statusCode!))
        .on("error", reject)
        .end("x");
    });
    expect(status).toBe(400);
    expect(await readdir(root)).toEqual([]);
  });

  it("leaves nothing behind where the sender gives up half-way", async () => {
    const sending = httpRequest(url, { path: "/files/b/half.txt", method: "PUT", headers: { "content-length": 100 } });
    sending.on("error", () => {});
    sending.write("half of it");
    const incoming = async () => (await readdir(root)).filter((name) => name.startsWith(".incoming"));
    await expect.poll(incoming).toHaveLength(1);
    sending.destroy();
    await expect.poll(incoming).toEqual([]);
    expect(await readdir(join(root, "b"))).toEqual([]);
  });

  it("is sent with PUT", async () => {
    const answer = await put("/files/b/a.txt", "x", "POST");
    expect(answer.status).toBe(405);
  });
});
