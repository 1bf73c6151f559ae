import { type AddressInfo, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { html, type Site, startSite } from "../../../tests/support/local-notebooks.js";
import { isPublicAddress } from "./private-addresses.js";
import { createFetcher } from "./safe-fetch.js";

const signal = () => AbortSignal.timeout(10_000);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe("an address that came from outside", () => {
  it("may lead to the public internet and nowhere else", () => {
    const open = [
      "93.184.216.34",
      "8.8.8.8",
      "172.32.0.1",
      "2606:2800:220:1::1",
      "64:ff9b::5db8:d822",
      "::ffff:8.8.8.8",
    ];
    const closed = [
      "127.0.0.1",
      "127.8.8.8",
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "169.254.169.254",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
      "fd00:ec2::254",
      "fd20:ce::254",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "198.18.0.1",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::127.0.0.1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "::ffff:0:10.0.0.1",
      "64:ff9b::a9fe:a9fe",
      "2002:7f00:1::",
      "fc00::1",
      "fd12:3456::1",
      "fe80::1",
      "fe80::1%eth0",
      "ff02::1",
      "2001:db8::1",
      "not an address",
    ];
    expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
    expect(closed.filter(isPublicAddress)).toEqual([]);
  });

  it("is refused when it is an inner address in any notation", async () => {
    const fetcher = createFetcher();
    for (const url of [
      "http://127.0.0.1/",
      "http://127.1/",
      "http://2130706433/",
      "http://0x7f.0.0.1/",
      "http://0177.0.0.1/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://169.254.169.254/latest/meta-data/",
      "https://10.0.0.7/",
    ])
      await expect(fetcher(url, signal()), url).rejects.toEqual(code("INVALID_URL"));
  });

  it("is refused when it is no web address, or carries a password", async () => {
    const fetcher = createFetcher({ allowPrivate: true });
    for (const url of [
      "file:///etc/passwd",
      "ftp://example.org/",
      "data:text/html,x",
      "//example.org",
      "gopher://x/",
      "http://",
    ])
      await expect(fetcher(url, signal()), url).rejects.toEqual(code("INVALID_URL"));
    await expect(fetcher("http://me:secret@example.org/", signal())).rejects.toEqual(code("INVALID_URL"));
  });

  it("is refused when its name leads to an inner address, even beside a public one", async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return host === "both.example" ? ["93.184.216.34", "10.0.0.1"] : ["127.0.0.1"];
    };
    const fetcher = createFetcher({ resolve });
    for (const host of ["loopback.example", "both.example"])
      await expect(fetcher(`http://${host}/`, signal())).rejects.toEqual(code("INVALID_URL"));
    expect(asked).toEqual(["loopback.example", "both.example"]);
  });

  it("is refused when its name leads nowhere", async () => {
    const unknown = createFetcher({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    const empty = createFetcher({ resolve: async () => [] });
    for (const fetcher of [unknown, empty])
      await expect(fetcher("http://nowhere.example/", signal())).rejects.toEqual(code("INVALID_URL"));
  });
});

describe("fetching a page", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite(({ path }, response) => {
      if (path === "/page") html(response, "<p>Two high tides.</p>");
      else if (path === "/packed")
        response
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync("<p>Packed.</p>"));
      else if (path === "/bomb")
        response
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(300_000, "a")));
      else if (path === "/declared-large")
        response.writeHead(200, { "content-type": "text/html", "content-length": "99999999" }).flushHeaders();
      else if (path === "/endless") {
        response.writeHead(200, { "content-type": "text/html" });
        const more = () => response.write("x".repeat(20_000), () => !response.destroyed && setImmediate(more));
        more();
      } else if (path === "/silent") response.writeHead(200, { "content-type": "text/html" }).write("<p>");
      else if (path === "/never") response.setTimeout(0);
      else if (path === "/cut") {
        response.writeHead(200, { "content-type": "text/html", "content-length": "1000" }).write("<p>half");
        setImmediate(() => response.destroy());
      } else if (path === "/moved") response.writeHead(302, { location: "/page#part" }).end();
      else if (path === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else if (path === "/to-file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
      else if (path === "/to-inner") response.writeHead(302, { location: "http://inner.example/secret" }).end();
      else if (path === "/picture") response.writeHead(200, { "content-type": "image/png" }).end("x");
      else response.writeHead(404).end();
    });
  });
  afterAll(() => site.close());
  const at = (path: string) => `${site.url}${path}`;
  const open = createFetcher({ allowPrivate: true, maxBytes: 100_000, timeoutMs: 2_000 });

  it("gives its bytes, what kind they are, and where the last redirect led", async () => {
    const page = await open(at("/moved"), signal());
    expect(page).toMatchObject({ url: `${site.url}/page#part`, contentType: "text/html; charset=utf-8" });
    expect(Buffer.from(page.bytes).toString()).toContain("Two high tides.");
    expect(Buffer.from((await open(at("/packed"), signal())).bytes).toString()).toBe("<p>Packed.</p>");
  });

  it("connects to the address that was checked, whatever the name says later", async () => {
    const port = new URL(site.url).port;
    let lookups = 0;
    const fetcher = createFetcher({ allowPrivate: true, resolve: async () => (lookups++ === 0 ? ["127.0.0.1"] : []) });
    await fetcher(`http://rebound.example:${port}/page`, signal());
    expect(lookups).toBe(1);
    expect(site.requests.at(-1)?.headers.host).toBe(`rebound.example:${port}`);
  });

  it("checks every redirect as it checked the first address", async () => {
    const resolve = async (host: string) => (host === "inner.example" ? ["192.168.0.1"] : ["93.184.216.34"]);
    const guarded = createFetcher({ resolve });
    await expect(open(at("/to-file"), signal())).rejects.toEqual(code("INVALID_URL"));
    await expect(open(at("/loop"), signal())).rejects.toEqual(code("INVALID_URL"));
    // The first hop is let in, so that the second one is what is refused.
    const before = site.requests.length;
    const firstHop = createFetcher({
      resolve: async (host) => (host === "inner.example" ? resolve(host) : ["127.0.0.1"]),
      allow: (address) => address === "127.0.0.1",
    });
    await expect(firstHop(at("/to-inner").replace("127.0.0.1", "outer.example"), signal())).rejects.toMatchObject({
      code: "INVALID_URL",
      details: { reason: "private_address" },
    });
    expect(site.requests.length).toBe(before + 1);
    await expect(guarded("http://inner.example/", signal())).rejects.toEqual(code("INVALID_URL"));
  });

  it("takes no more than it may, packed or not, declared or not", async () => {
    for (const path of ["/bomb", "/declared-large", "/endless"])
      await expect(open(at(path), signal()), path).rejects.toEqual(code("CONTENT_TOO_LARGE"));
  });

  it("waits no longer than it may, and stops when its caller does", async () => {
    const quick = createFetcher({ allowPrivate: true, timeoutMs: 150 });
    for (const path of ["/silent", "/never"])
      await expect(quick(at(path), signal()), path).rejects.toMatchObject({
        code: "PROCESSING_FAILED",
        details: { reason: "timeout" },
      });
    const giving = AbortSignal.abort(new Error("enough"));
    await expect(open(at("/page"), giving)).rejects.toThrow("enough");
    const slowResolver = createFetcher({ resolve: () => new Promise(() => {}) });
    await expect(slowResolver("http://slow.example/", AbortSignal.timeout(50))).rejects.toThrow(/timeout/i);
  });

  it("says what is wrong with what it found", async () => {
    await expect(open(at("/gone"), signal())).rejects.toMatchObject({
      code: "PROCESSING_FAILED",
      details: { status: 404 },
    });
    await expect(open(at("/picture"), signal())).rejects.toEqual(code("UNSUPPORTED_URL"));
    await expect(open(at("/cut"), signal())).rejects.toEqual(code("PROCESSING_FAILED"));
    await expect(open("http://127.0.0.1:1/", signal())).rejects.toEqual(code("INVALID_URL"));
  });
});

it("settles at once where a page switches protocols or hangs up without a word", async () => {
  const server = createServer((socket) => {
    socket.once("data", (request) =>
      String(request).includes("/switch")
        ? socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")
        : socket.destroy(),
    );
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const fetcher = createFetcher({ allowPrivate: true });
  for (const path of ["switch", "hang-up"])
    await expect(fetcher(`http://127.0.0.1:${port}/${path}`, signal())).rejects.toEqual(code("INVALID_URL"));
  server.close();
});
