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

it("begins a line with its time wherever a caption begins", async () => {
  const caption = (at: number, text: string) =>
    `<span data-rw-start="${at}" data-rw-transcript-version="2">${text}</span>`;
  const html = `<p>${caption(2.04, "The moon pulls.")} ${caption(65, "Twice a day.")}</p><p>${caption(3725, "Always.")}</p>`;
  expect(await htmlToText(html)).toBe("[0:02] The moon pulls.\n[1:05] Twice a day.\n[1:02:05] Always.");
  expect(await htmlToText('<span data-rw-start="soon">Later.</span>')).toBe("Later.");
});
