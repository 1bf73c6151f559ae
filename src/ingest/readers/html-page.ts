import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { depthOf } from "./dom-text.js";
import { textOf } from "./xml.js";

interface PagePart {
  root: Element;
  /** Whether an element below `root` is page chrome: menus, site header and footer, side columns. */
  isChrome(element: Element): boolean;
  warnings: string[];
}

// Readability takes time with the cube of the depth; no real page is this deep.
const MAX_ARTICLE_DEPTH = 200;
const MENU_NAME =
  /(?:^|[\s_-])(?:nav|navbar|navigation|navheader|navfooter|menu|mainmenu|submenu|breadcrumbs?|sidebar|pager|pagination|skip-?links?)(?:[\s_-]|$)/i;
const CONTENT = "article, main, [role=main]";
const BLOCKS = "p, pre, blockquote, li, dd, dt, td, th, h1, h2, h3, h4, h5, h6, figcaption, summary";

/**
 * The body without navigation, site header, footer and side columns. Only a page that is mostly links and labels is
 * reduced to its article, and only if the article holds nearly all running text; a warning then says how much was dropped.
 */
export function textPart(document: Document): PagePart {
  const body = document.body ?? document.documentElement;
  const whole: PagePart = { root: body, isChrome, warnings: [] };
  if (depthOf(body, MAX_ARTICLE_DEPTH) >= MAX_ARTICLE_DEPTH) return whole;
  const page = weigh(body);
  if (page.prose === 0 || page.prose > page.all * 0.4) return whole;
  const article = articleOf(document);
  if (!article || weigh(article).prose < page.prose * 0.95) return whole;
  const share = Math.round((1 - textOf(article).length / Math.max(1, page.all)) * 100);
  return {
    root: article,
    isChrome: () => false,
    warnings:
      share > 0
        ? [`The page is mostly navigation; ${share} % of its text lies outside the article and is left out.`]
        : [],
  };
}

function articleOf(document: Document): Element | undefined {
  const copy = document.cloneNode(true) as Document;
  const article = new Readability(copy, {
    charThreshold: 200,
    keepClasses: true,
    classesToPreserve: ["reference", "references"],
  }).parse();
  return article?.content
    ? parseHTML(`<!doctype html><html><body>${article.content}</body></html>`).document.body
    : undefined;
}

/** Counts the letters outside the page's chrome, and those in blocks that are not made of links. */
function weigh(root: Element): { all: number; prose: number } {
  let all = 0;
  let prose = 0;
  const visit = (element: Element) => {
    if (isChrome(element) || UNSEEN.test(element.localName)) return;
    if (element.matches(BLOCKS) && !element.querySelector(BLOCKS)) {
      const length = textOf(element).length;
      all += length;
      if (linkShare(element, length) < 0.5 && length > 20) prose += length;
      return;
    }
    for (let node = element.firstChild; node; node = node.nextSibling)
      if (node.nodeType === 3) all += (node.nodeValue ?? "").trim().length;
      else if (node.nodeType === 1) visit(node as Element);
  };
  visit(root);
  return { all, prose };
}

const UNSEEN = /^(?:head|script|style|noscript|template|svg|select|button|textarea|input)$/i;

function isChrome(element: Element): boolean {
  const name = element.localName.toLowerCase();
  if (name === "body" || name === "html") return false;
  const role = element.getAttribute("role");
  if (role && /^doc-(?:foot|end)notes?$/.test(role)) return false;
  if (name === "nav" || role === "navigation" || role === "search") return true;
  if (role === "banner" || role === "contentinfo" || role === "complementary") return !element.closest(CONTENT);
  // Inside an article these elements are content: the byline, a box beside the text. The page's title may be in its header.
  if (name === "header") return !element.closest(`${CONTENT}, section, blockquote`) && !element.querySelector("h1");
  if (name === "footer") return !element.closest(`${CONTENT}, section, blockquote`);
  if (name === "aside") return !element.closest(CONTENT);
  if (name === "form") return !element.querySelector("p, pre, h1, h2, h3, td");
  const named = `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`;
  return MENU_NAME.test(named) && linkShare(element, textOf(element).length) > 0.3 && !element.querySelector("p, pre");
}

function linkShare(element: Element, length: number): number {
  let linked = 0;
  for (const link of element.querySelectorAll("a[href], button, input, label")) linked += textOf(link).length;
  return length > 0 ? linked / length : 1;
}
