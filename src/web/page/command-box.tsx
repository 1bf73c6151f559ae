import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { openHelp } from "./help.js";
import { href } from "./href.js";
import { go } from "./routes.js";
import { callTool, offers } from "./server/connection.js";
import { setTheme } from "./theme.js";
import { addToReading, canAdd, openPlace } from "./views/add-dialog.js";

interface Command {
  /** Stable: the recently used commands are remembered by it. */
  id: string;
  kind: string;
  title: string;
  run(): void;
}

const open = signal(false);
export const openCommandBox = () => {
  open.value = true;
};

/** The two keys that open the box from anywhere, even while the user is typing. */
export function listenForCommandKey(): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open.value = !open.value;
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

export function CommandBox() {
  return open.value ? <OpenBox /> : null;
}

const SHOWN = 9;

/** One box to search, ask, check a quotation, open a place or run an action. */
function OpenBox() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const things = useThings();
  const wanted = text.trim();
  const fits = ({ title, kind }: Command) => matches(wanted, `${kind} ${title}`);
  const matching = [...COMMANDS(), ...things].filter(fits);
  // A view or an action with this name comes before a search for the name; a work with this name comes after.
  const named = wanted ? COMMANDS().filter(fits) : matching.filter(wasUsed);
  const shown = [...named, ...withText(wanted), ...matching.filter(byUse(wanted))]
    .filter(({ id }, index, all) => all.findIndex((other) => other.id === id) === index)
    .slice(0, SHOWN);
  const chosen = shown[Math.min(at, shown.length - 1)];

  useEffect(() => dialog.current?.showModal(), []);

  function run(command: Command | undefined) {
    if (!command) return;
    dialog.current?.close();
    remember(command.id);
    command.run();
  }

  return (
    <dialog
      ref={dialog}
      class="command-box"
      aria-label="Search, ask, go to or do"
      onClose={() => {
        open.value = false;
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(chosen);
        }}
      >
        <input
          role="combobox"
          aria-label="Search, ask, go to or do"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={chosen && `command-${shown.indexOf(chosen)}`}
          autocomplete="off"
          placeholder="Search, ask, check, go to …"
          maxLength={1_000}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (!by) return;
            event.preventDefault();
            setAt(Math.max(0, Math.min(shown.length - 1, at + by)));
          }}
        />
        <div id="commands" role="listbox" aria-label="What it can do">
          {shown.map((command, index) => (
            <div
              key={command.id}
              id={`command-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={command === chosen}
              onMouseMove={() => setAt(index)}
              onMouseDown={(event) => {
                event.preventDefault();
                run(command);
              }}
            >
              <span class="small-print">{command.kind}</span> <bdi>{command.title}</bdi>
            </div>
          ))}
        </div>
      </form>
    </dialog>
  );
}

/** The actions that take the typed words. */
function withText(text: string): Command[] {
  if (!text) return [];
  return [
    { id: "search", kind: "Search", title: text, run: () => go(href([], { q: text })) },
    ...(offers("verify_quote")
      ? [{ id: "quote", kind: "Check the quotation", title: text, run: () => go(href(["quote"], { quote: text })) }]
      : []),
    ...(offers("list_notebooks", "ask")
      ? [{ id: "ask", kind: "Ask a notebook", title: text, run: () => go(href(["notebooks"], { ask: text })) }]
      : []),
  ];
}

const COMMANDS = (): Command[] => [
  { id: "go-search", kind: "Go to", title: "Search", run: () => go(href([])) },
  ...(offers("list_documents")
    ? [{ id: "go-queue", kind: "Go to", title: "Queue", run: () => go(href(["queue"])) }]
    : []),
  ...(offers("list_sources")
    ? [{ id: "go-library", kind: "Go to", title: "Library", run: () => go(href(["sources"])) }]
    : []),
  ...(offers("list_notebooks")
    ? [{ id: "go-notebooks", kind: "Go to", title: "Notebooks", run: () => go(href(["notebooks"])) }]
    : []),
  ...(offers("list_projects")
    ? [{ id: "go-projects", kind: "Go to", title: "Projects", run: () => go(href(["projects"])) }]
    : []),
  ...(offers("check_draft")
    ? [{ id: "go-draft", kind: "Go to", title: "Check a draft", run: () => go(href(["draft"])) }]
    : []),
  ...(offers("verify_quote")
    ? [{ id: "go-quote", kind: "Go to", title: "Check a quotation", run: () => go(href(["quote"])) }]
    : []),
  { id: "go-status", kind: "Go to", title: "Status", run: () => go(href(["status"])) },
  ...(canAdd()
    ? [
        {
          id: "add",
          kind: "Do",
          title: "Add files or links",
          run: () => addToReading({ files: [], links: [], into: openPlace() }),
        },
      ]
    : []),
  { id: "theme-light", kind: "Do", title: "Light colours", run: () => setTheme("light") },
  { id: "theme-dark", kind: "Do", title: "Dark colours", run: () => setTheme("dark") },
  { id: "theme-system", kind: "Do", title: "Colours of the system", run: () => setTheme("system") },
  { id: "help", kind: "Do", title: "Show the keys", run: openHelp },
];

/** Notebooks, projects and recent works by name, loaded when the box opens. */
function useThings(): Command[] {
  const [things, setThings] = useState<Command[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const load = async <T,>(tool: string, args: Record<string, unknown>, commands: (data: T) => Command[]) => {
      if (!offers(tool)) return;
      const answer = await callTool<T>(tool, args, { signal: leaving.signal });
      if (answer.ok && !leaving.signal.aborted) setThings((before) => [...before, ...commands(answer.data)]);
    };
    void load<{ notebooks: { id: string; name: string }[] }>("list_notebooks", { limit: 100 }, ({ notebooks }) =>
      notebooks.map(({ id, name }) => thing("Notebook", name, ["notebooks", id])),
    );
    void load<{ projects: { id: string; name?: string }[] }>("list_projects", {}, ({ projects }) =>
      projects.map(({ id, name = id }) => thing("Project", name, ["projects", id])),
    );
    void load<{ results: { id: number; title: string | null }[] }>("list_sources", {}, ({ results }) =>
      results.map(({ id, title }) => thing("Work", title ?? `Source ${id}`, ["sources", id])),
    );
    return () => leaving.abort();
  }, []);
  return things;
}

const thing = (kind: string, title: string, path: (string | number)[]): Command => ({
  id: path.join("/"),
  kind,
  title,
  run: () => go(href(path)),
});

/** Whether every typed word is a prefix of a word in the title or the kind. */
function matches(text: string, title: string): boolean {
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

const STORE = "bookwheel.commands";
const KEPT = 5;
const used = signal<readonly string[]>((localStorage.getItem(STORE) ?? "").split("\n").filter(Boolean));

function remember(id: string): void {
  used.value = [id, ...used.value.filter((other) => other !== id)].slice(0, KEPT);
  localStorage.setItem(STORE, used.value.join("\n"));
}

const wasUsed = ({ id }: Command) => used.value.includes(id);
/** Without typed words, notebooks, projects and works are listed only if they were used before. */
const byUse = (text: string) => (command: Command) => Boolean(text) || !command.id.includes("/") || wasUsed(command);
