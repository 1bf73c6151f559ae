import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CommandBox, listenForCommandKey } from "./command-box.js";
import { DOORS, type Door } from "./doors.js";
import { Help, openHelp } from "./help.js";
import { href } from "./href.js";
import { KeyNote, TokenDialog } from "./key-dialog.js";
import { Masthead } from "./masthead.js";
import { dismiss, notices } from "./notices.js";
import { Problem, Waiting } from "./reading/states.js";
import { go, returned, route } from "./routes.js";
import { loadTools, offers, tools, unreachable } from "./server/connection.js";
import { keys } from "./server/keys.js";
import { onShortcut } from "./shortcuts.js";
import { openName } from "./view-name.js";
import { AddDialog } from "./views/add-dialog.js";
import { listenForDrops } from "./views/pile.js";

export function Shell() {
  const held = keys.value;
  const current = route.value.path[0] ?? "";
  const door = DOORS.find(({ name }) => name === current);

  useEffect(() => {
    if (unreachable.value) void loadTools();
  }, [held]);
  useEffect(() => onShortcut({ "/": focusSearch, "?": openHelp }), []);
  useEffect(listenForCommandKey, []);
  useEffect(listenForDrops, []);

  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <Masthead />
      <Main name={`${door?.title ?? "Not found"}`} path={route.value.path.join("/")}>
        <Content door={door} />
      </Main>
      <footer class="colophon">
        <KeyNote />
      </footer>
      <Notices />
      <TokenDialog />
      <Help />
      <CommandBox />
      <AddDialog />
    </>
  );
}

function Content({ door }: { door: Door | undefined }) {
  if (unreachable.value)
    return <Problem error={{ code: "unreachable", message: unreachable.value }} retry={() => void loadTools()} />;
  if (!tools.value) return <Waiting />;
  if (!door)
    return (
      <div class="view narrow">
        <h1>Not here</h1>
        <p>
          There is no such view. <a href={href([])}>Back to the search</a>
        </p>
      </div>
    );
  if (!offers(...door.needs))
    return (
      <div class="view narrow">
        <h1>{door.title} is switched off</h1>
        <p>The server does not offer it yet. Start it with this line to switch it on:</p>
        <pre class="code">
          <code>{door.setting} bookwheel serve</code>
        </pre>
        <p>
          <a href={href([])}>Back to the search</a>
        </p>
      </div>
    );
  return <>{door.view(route.value)}</>;
}

/** A new view gets focus and sets the document title, like a page load. */
function Main({ name, path, children }: { name: string; path: string; children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = [openName.value, name === "Search" ? undefined : name, "Bookwheel"].filter(Boolean).join(" · ");
  }, [name, openName.value]);
  useEffect(() => {
    if (first.current) first.current = false;
    else {
      scrollTo(0, returned.value ?? 0);
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    }
  }, [name, path]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}

function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, tone, action }) => (
        <p key={id} class={tone}>
          <bdi>{text}</bdi>
          {action && (
            <button
              type="button"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}

function focusSearch(): void {
  const box = document.getElementById("query");
  if (box) box.focus();
  else go(href([]));
}
