import { describe, expect, it } from "vitest";
import { bareTags } from "./bare-tags.js";

describe("tags without attributes", () => {
  it.each([
    ['<p class="a" onclick="x()">One &amp; <b style=y>two</b></p>', "<p>One &amp; <b>two</b></p>"],
    ['<a title="1 > 0" href=x>more</a>', "<a>more</a>"],
    ["<p data-x='\"'>quoted</p>", "<p>quoted</p>"],
    ['<section class="footnotes" onload="x()"><p>1', '<section class="footnotes"><p>1'],
    ['<aside epub:type="footnote" style="y">', '<aside class="footnotes">'],
    ["it's 3 < 4 and <3", "it's 3 &lt; 4 and &lt;3"],
    ["before<script>if (a<b) '</p>'</script >after", "beforeafter"],
    ["<style>p{}</style><p>x", "<p>x"],
    ["a<!-- <p> -->b<!doctype html>c<?xml?>d", "abcd"],
    ["cut in the <a href='mid", "cut in the <a>"],
    ["unclosed <script>all of it", "unclosed "],
    ["<scr<script>ipt>", "<scr>ipt>"],
  ])("%s", (html, bare) => {
    expect(bareTags(html)).toBe(bare);
  });

  it("leaves no attribute of anything that begins a tag", () => {
    for (const html of ['<img/src=x/onerror="a">', "<svg\nonload=a>", "<p a=b c='d' e>"])
      expect(bareTags(html)).toMatch(/^<[a-z]+>$/);
  });
});
