import { accountOf, emailOf } from "./exchange.js";
import type { SandboxState } from "./state.js";

/** The app's page: session data inline, an empty root, and a script that draws the interface from the same RPC. */
export function appPage(state: SandboxState, url: URL): string {
  const { title, buildLabel, homeBytes } = state.generation;
  const account = accountOf(url, state);
  const data = wizData({
    SNlM0e: state.csrf,
    FdrFJe: state.sessionId,
    cfb2h: buildLabel,
    KjTSIf: buildLabel,
    Im6cmf: "/_/LabsTailwindUi",
    qwAQke: "LabsTailwindUi",
    QrtxK: String(account),
    S06Grb: "100200300400500600700",
    oPEP7c: emailOf(account),
    TSDtV: `%.@.${"[null,false],".repeat(1200)}`,
  });
  const page = (
    style: string,
  ) => `<!doctype html><html lang="en"><head><base href="${url.origin}/"><title>${title}</title>
${data}
<style>${style}</style>
<script src="/app.js" defer></script></head><body><labs-tailwind-root></labs-tailwind-root></body></html>`;
  const rule = ".mat-mdc-button-base{display:inline-flex}";
  return page(rule.repeat(Math.max(0, Math.floor((homeBytes - page("").length) / rule.length))));
}

function wizData(data: Record<string, string>): string {
  const json = JSON.stringify(data).replace(/[<>=&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
  return `<script>window.WIZ_global_data = ${json};</script>`;
}

/** What those see who are not served: a page of the same family without a token. */
export function gatePage(): string {
  const data = wizData({ FdrFJe: "100200300", cfb2h: "boq_labs-tailwind-marketing_20260802.02_p0" });
  return `<!doctype html><html lang="en"><head><title>Gemini Notebook</title>${data}</head><body></body></html>`;
}

export const plainPage = (title: string): string => `<!doctype html><title>${title}</title><p>${title}.</p>`;

export function signInPage(port: number, target: string, autoSignInMs: number | null): string {
  const link = `http://127.0.0.1:${port}/sandbox/sign-in?continue=${encodeURIComponent(target)}`;
  const auto =
    autoSignInMs === null
      ? ""
      : `<script>setTimeout(() => location.assign(document.links[0].href), ${autoSignInMs})</script>`;
  return `<!doctype html><title>Sign in</title><p>Sign in to continue: <a href="${link}">reader@example.org</a></p>${auto}`;
}

/**
 * Draws the elements a person sees, under the class names of the real interface. No innerHTML: the page's policy
 * asks for trusted types.
 */
export const APP_SCRIPT = `
const wiz = window.WIZ_global_data;
const root = document.querySelector("labs-tailwind-root");
const el = (name, props = {}, ...children) => {
  const node = document.createElement(name);
  const { dataset, ...rest } = props;
  for (const [key, value] of Object.entries(rest)) key.includes("-") ? node.setAttribute(key, value) : (node[key] = value);
  node.append(...children);
  return node;
};
const post = (path, query, request) =>
  fetch(path + "?" + new URLSearchParams({ "f.sid": wiz.FdrFJe, hl: "en", rt: "c", ...query }), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8", "x-same-domain": "1" },
    body: "f.req=" + encodeURIComponent(JSON.stringify(request)) + "&at=" + encodeURIComponent(wiz.SNlM0e) + "&",
  });
const items = (text) => text.split("\\n").filter((line) => line.startsWith("[")).flatMap((line) => JSON.parse(line));
const rpc = async (id, params, path = "/") => {
  const reply = await post("/_/LabsTailwindUi/data/batchexecute", { rpcids: id, "source-path": path }, [[[id, JSON.stringify(params), null, "generic"]]]);
  const found = items(await reply.text()).find((item) => item[0] === "wrb.fr" && item[1] === id);
  return JSON.parse(found[2]);
};
const TPL = [2, null, null, [1, null, null, null, null, null, null, null, null, null, [1]]];
const count = (sources) => (sources ?? []).length + " sources";

async function home() {
  const [rows] = await rpc("wXbhsf", [null, 1, null, [2]]);
  root.append(
    el("button", { "aria-label": "Create new notebook", textContent: "Create new" }),
    ...rows.map((row) =>
      el("project-button", {}, el("mat-card", { className: "project-button-card" },
        el("span", { className: "project-button-title", id: "project-" + row[2] + "-title", textContent: row[0] }),
        el("span", { className: "project-button-subtitle-part", textContent: new Date(row[5][5][0] * 1000).toDateString() }),
        el("span", { className: "project-button-subtitle-part-sources", textContent: count(row[1]) }),
        el("a", { href: "/notebook/" + row[2], "aria-labelledby": "project-" + row[2] + "-title" })))),
  );
}

async function open(id) {
  const [row] = await rpc("rLM1Ne", [id, null, TPL, null, 0], "/notebook/" + id);
  const sources = row[1] ?? [];
  const idOf = (source) => source[0].flat().filter((x) => typeof x === "string").at(-1);
  const box = el("textarea", { className: "query-box-input", "aria-label": "Query box", placeholder: "Start typing…" });
  const chat = el("div", { className: "chat-panel-content" });
  root.append(
    el("editable-project-title", {}, el("input", { className: "title-input", value: row[0] })),
    el("div", { className: "source-panel" }, el("span", { className: "cover-subtitle-source-count", textContent: count(sources) }),
      ...sources.map((source) => el("div", { className: "single-source-container" },
        el("button", { className: "source-stretched-button", "aria-label": source[1] }), el("span", { className: "source-title", textContent: source[1] })))),
    chat, box, el("button", { className: "submit-button", "aria-label": "Submit" }),
  );
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const question = box.value;
    box.value = "";
    box.disabled = true;
    ask(id, sources, idOf, question, chat).finally(() => (box.disabled = false));
  });
}

async function ask(id, sources, idOf, question, chat) {
  const view = el("labs-tailwind-structural-element-view-v2");
  const thinking = el("thinking-chain-view");
  const text = el("div", { className: "message-text-content" }, el("labs-tailwind-doc-viewer", {}, el("element-list-renderer", {}, thinking, view)));
  chat.append(el("div", { className: "from-user-container", textContent: question }), el("div", { className: "to-user-container" }, text));
  const params = [sources.map((source) => [[idOf(source)]]), question, null, [2, null, [1], [1]], crypto.randomUUID(), null, null, id, 1];
  const reply = await post("/_/LabsTailwindUi/data/google.internal.labs.tailwind.orchestration.v1.LabsTailwindOrchestrationService/GenerateFreeFormStreamed",
    { bl: wiz.cfb2h, _reqid: "200000" }, [null, JSON.stringify(params)]);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\\n");
    rest = lines.pop();
    for (const item of items(lines.join("\\n"))) {
      if (item[0] !== "wrb.fr" || !item[2]) continue;
      const inner = JSON.parse(item[2]);
      if (inner[0][4][4] === 2 || !inner[0][0]) thinking.textContent = inner[0][0] || "Thinking";
      else draw(view, inner, sources, idOf);
    }
  }
}

function draw(view, inner, sources, idOf) {
  view.replaceChildren(
    ...inner[0][0].split(/(\\[\\d+(?:[,-] ?\\d+)*\\])/).flatMap((part) => {
      if (!/^\\[\\d/.test(part)) return [part];
      return part.match(/\\d+/g).map((n) => {
        const cited = inner[1]?.[n - 1]?.[5][0][0][0];
        const title = sources.find((source) => idOf(source) === cited)?.[1] ?? "";
        return el("button", { className: "citation-marker" }, el("span", { "aria-label": n + ": " + title, textContent: n }));
      });
    }),
  );
}

const [, kind, id] = location.pathname.split("/");
kind === "notebook" ? open(id) : home();
`;
