import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { useModal } from "./dialog.js";
import { DOORS, isOffered } from "./doors.js";
import { openHelp } from "./help.js";
import { href } from "./href.js";
import { go } from "./routes.js";
import { offers } from "./server/connection.js";
import { loadPlaces, places } from "./server/places.js";
import { useAnswer } from "./server/use-answer.js";
import { setTheme } from "./theme.js";
import { addToReading, canAdd, openPlace } from "./views/pile.js";

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
  const dialog = useModal();
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

/** Names of views whose command has another id. */
const ID_OF: Record<string, string> = { "": "search", sources: "library" };
const COMMANDS = (): Command[] => [
  ...DOORS.filter((door) => isOffered(door) && door.name !== "tools").map(({ name, title }) => ({
    id: `go-${ID_OF[name] ?? name}`,
    kind: "Go to",
    title,
    run: () => go(href(name ? [name] : [])),
  })),
  ...(canAdd()
    ? [{ id: "add", kind: "Do", title: "Add files or links", run: () => addToReading({ into: openPlace() }) }]
    : []),
  { id: "theme-light", kind: "Do", title: "Light colours", run: () => setTheme("light") },
  { id: "theme-dark", kind: "Do", title: "Dark colours", run: () => setTheme("dark") },
  { id: "theme-system", kind: "Do", title: "Colours of the system", run: () => setTheme("system") },
  { id: "help", kind: "Do", title: "Show the keys", run: openHelp },
];

/** Notebooks, projects and recent works by name, loaded when the box opens. */
function useThings(): Command[] {
  const works = useAnswer<{ results: { id: number; title: string | null }[] }>(
    "list_sources",
    offers("list_sources") ? {} : undefined,
  );
  useEffect(() => void loadPlaces(), []);
  const { notebooks, projects } = places.value;
  return [
    ...notebooks.map(({ id, name }) => thing("Notebook", name, ["notebooks", id])),
    ...projects.map(({ id, name }) => thing("Project", name, ["projects", id])),
    ...(works.data?.results ?? []).map(({ id, title }) => thing("Work", title ?? `Source ${id}`, ["sources", id])),
  ];
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
