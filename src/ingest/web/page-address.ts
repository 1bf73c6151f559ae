/** Parameters that say where a visitor came from and nothing about the page. */
const TRACKING = /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|_hsenc|_hsmi)$/i;

/** One spelling for one page: no fragment, no tracking, the usual port left out. Undefined for what is no web address. */
export function pageAddress(address: string, base?: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hash = "";
  url.username = "";
  url.password = "";
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** What a page calls its own address, where it stays on its own host: a page may not pass for another site's. */
export function canonicalAddress(html: string, address: string): string | undefined {
  for (const [tag] of html.slice(0, 200_000).matchAll(/<link\b[^<>]{0,2000}>/gi)) {
    if (!/\brel\s*=\s*["']?canonical\b/i.test(tag)) continue;
    const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag);
    const found = pageAddress((href?.[1] ?? href?.[2] ?? href?.[3] ?? "").replaceAll("&amp;", "&"), address);
    return found && siteOf(found) === siteOf(address) ? found : undefined;
  }
  return undefined;
}

function siteOf(address: string): string {
  return new URL(address).host.replace(/^www\./, "");
}

const VIDEO_HOSTS = /(^|\.)(youtube\.com|youtu\.be|youtube-nocookie\.com)$/i;

export function isVideo(address: string): boolean {
  return VIDEO_HOSTS.test(new URL(address).hostname);
}
