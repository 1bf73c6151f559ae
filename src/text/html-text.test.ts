import { describe, expect, it } from "vitest";
import { htmlToText } from "./html-text.js";

describe("the text of an HTML fragment", () => {
  it("has one line per block, entities decoded, and nothing of scripts and heads", async () => {
    const html =
      "<head><title>no</title></head><p class='a > b'>Hello <b>big</b>\n world</p><ul><li>a<li>b &amp; c &lt;d&gt; &#x20AC;</ul>" +
      "<script>no('<p>')</script><style>no</style><!-- no -->tail<br>end<template><p>no</p></template>";
    expect(await htmlToText(html)).toBe("Hello big world\na\nb & c <d> €\ntail\nend");
  });

  it("shows what a broken document still says", async () => {
    expect(await htmlToText("<head><meta a><body>said</p></div> 1 < 2 <")).toBe("said\n1 < 2 <");
    expect(await htmlToText("plain & simple")).toBe("plain & simple");
  });

  it("takes any nesting", async () => {
    expect(await htmlToText(`${"<div>".repeat(200_000)}deep`)).toBe("deep");
  });
});
