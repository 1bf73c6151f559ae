import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/peers.js";
import { anchorsOf, markdown, markdownFiles, withoutBlocks } from "./markdown.js";

/** Links and pictures of a page, without those across the internet. */
function localLinks(path: string): string[] {
  const text = withoutBlocks(markdown(path)).replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(<?([^)>\s]+)>?(?: "[^"]*")?\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/i.test(target));
}

function problemWith(page: string, link: string): string | undefined {
  const [path, anchor] = decodeURIComponent(link).split("#") as [string, string?];
  const target = path ? normalize(join(dirname(page), path)) : page;
  if (target.startsWith("..")) return `${link} leaves the repository`;
  if (!existsSync(join(ROOT, target))) return `${link} is not there`;
  if (!anchor || statSync(join(ROOT, target)).isDirectory() || !target.endsWith(".md")) return undefined;
  return anchorsOf(markdown(target)).has(anchor) ? undefined : `${link}: ${target} has no such heading`;
}

describe("links in the docs", () => {
  it.each(markdownFiles())("of %s lead somewhere", (page) => {
    expect(localLinks(page).flatMap((link) => problemWith(page, link) ?? [])).toEqual([]);
  });
});
