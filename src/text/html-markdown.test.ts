import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./html-markdown.js";

describe("HTML as Markdown", () => {
  it("keeps headings, lists, tables, links, code, quotations, and images by their alternative text", async () => {
    const html = `
      <h1>Salt</h1><p>It moved by <em>camel</em>, see <a href="https://salt.example/a">the map</a>.</p>
      <ul><li>by camel</li><li>by ship<ol><li>small</li><li>large</li></ol></li></ul>
      <table><tr><th>Year</th><th>Price</th></tr><tr><td>1500</td><td>3 | 4</td></tr></table>
      <blockquote><p>White gold.</p></blockquote><pre><code>a  = 1
b</code></pre><figure><img src="x.png" alt="A caravan"><figcaption>In 1900</figcaption></figure>
      <script>alert(1)</script><hr><p>AT&amp;T</p>`;
    expect(await htmlToMarkdown(html)).toBe(`# Salt

It moved by *camel*, see [the map](https://salt.example/a).

- by camel
- by ship
  1. small
  2. large

| Year | Price |
| --- | --- |
| 1500 | 3 \\| 4 |

> White gold.

\`\`\`
a  = 1
b
\`\`\`

![A caravan]

In 1900

---

AT&T`);
  });
  it("survives what is not closed, not opened, or nested without end", async () => {
    expect(await htmlToMarkdown("</ul></td><p>One<p>Two</blockquote>")).toBe("One\n\nTwo");
    const deep = `${"<div><ul><li><blockquote>".repeat(20_000)}deep`;
    expect((await htmlToMarkdown(deep)).endsWith("deep")).toBe(true);
  });
  it("leaves out links that lead nowhere a reader can go", async () => {
    expect(await htmlToMarkdown('<p><a href="javascript:x()">Press</a> <a>here</a></p>')).toBe("Press here");
  });
});
