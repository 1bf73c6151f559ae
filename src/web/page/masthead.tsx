import { useEffect, useState } from "preact/hooks";
import { openCommandBox } from "./command-box.js";
import { useModal } from "./dialog.js";
import { DOORS, type Door, isOffered } from "./doors.js";
import { openHelp } from "./help.js";
import { href } from "./href.js";
import { Icon, Wheel } from "./icons.js";
import { route } from "./routes.js";
import { tools } from "./server/connection.js";
import { leaving } from "./server/deleting.js";
import { loadPlaces, type NamedPlace, places } from "./server/places.js";
import { THEMES, type Theme } from "./stored-theme.js";
import { setTheme, theme } from "./theme.js";
import { addToReading, canAdd, openPlace } from "./views/pile.js";

/** A column at the side on a wide screen; on a narrow one a bar at the top, and one with the main views at the bottom. */
export function Masthead() {
  const current = route.value.path[0] ?? "";
  const [more, setMore] = useState(false);
  const offered = DOORS.filter(isOffered);
  useEffect(() => {
    if (tools.value) void loadPlaces();
  }, [tools.value]);
  useEffect(() => setMore(false), [route.value]);
  return (
    <>
      <header class="masthead">
        <a class="brand" href={href([])}>
          <Wheel />
          Bookwheel
        </a>
        <button type="button" class="command-button" onClick={openCommandBox}>
          <Icon name="search" />
          <span class="wide-only">Search or ask</span>
          <span class="sr-only narrow-only">Search, ask, go to or do</span>
          <kbd>{COMMAND_KEY}</kbd>
        </button>
        <AddButton />
        <nav class="doors" aria-label="Shelves">
          <Doors doors={offered.filter(({ group }) => group === "read")} current={current} />
          <Doors title="Write" doors={offered.filter(({ group }) => group === "write")} current={current} />
          <PlaceDoors kind="notebooks" doors={offered} list={places.value.notebooks} />
          <PlaceDoors kind="projects" doors={offered} list={places.value.projects} />
        </nav>
        <div class="controls">
          <Doors doors={offered.filter(({ group }) => group === "machine")} current={current} />
          <div class="row">
            <ThemeSwitch name="theme" />
            <button type="button" class="quiet icon-button" onClick={openHelp} aria-label="Help and keyboard shortcuts">
              <Icon name="help" />
            </button>
          </div>
        </div>
      </header>
      <nav class="tab-bar" aria-label="Main">
        {offered
          .filter(({ tab }) => tab)
          .map((door) => (
            <DoorLink key={door.name} door={door} current={door.name === current} />
          ))}
        <button
          type="button"
          aria-expanded={more}
          class={offered.some(({ name, tab }) => name === current && !tab) ? "current" : undefined}
          onClick={() => setMore(true)}
        >
          <Icon name="more" />
          <span>More</span>
        </button>
      </nav>
      {more && <MoreSheet doors={offered.filter(({ tab }) => !tab)} current={current} onClose={() => setMore(false)} />}
    </>
  );
}

const COMMAND_KEY = `${/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl"} K`;

function AddButton() {
  if (!canAdd()) return null;
  return (
    <button
      type="button"
      class="add-button"
      onClick={() => addToReading({ into: openPlace() })}
      title="Add files or links to your reading"
    >
      <Icon name="add" />
      <span>Add</span>
    </button>
  );
}

interface DoorsProps {
  title?: string;
  doors: readonly Door[];
  current: string;
}

function Doors({ title, doors, current }: DoorsProps) {
  if (doors.length === 0) return null;
  return (
    <section>
      {title && <h2>{title}</h2>}
      <ul>
        {doors.map((door) => (
          <li key={door.name}>
            <DoorLink door={door} current={door.name === current} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function DoorLink({ door: { name, title, icon }, current }: { door: Door; current: boolean }) {
  return (
    <a href={href(name ? [name] : [])} aria-current={current ? "page" : undefined}>
      {icon && <Icon name={icon} />}
      <span>{title}</span>
    </a>
  );
}

const SHOWN_PLACES = 6;

/** The single notebooks or projects, below the link to all of them. */
function PlaceDoors({
  kind,
  doors,
  list,
}: {
  kind: "notebooks" | "projects";
  doors: readonly Door[];
  list: readonly NamedPlace[];
}) {
  const door = doors.find(({ name }) => name === kind);
  if (!door) return null;
  const [view, open] = route.value.path;
  const shown = list.filter(({ id }) => !leaving.value.has(id));
  return (
    <section>
      <ul>
        <li>
          <DoorLink door={door} current={view === kind && !open} />
        </li>
        {shown.slice(0, SHOWN_PLACES).map(({ id, name }) => (
          <li key={id}>
            <a class="place" href={href([kind, id])} aria-current={view === kind && open === id ? "page" : undefined}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MoreSheet({ doors, current, onClose }: { doors: readonly Door[]; current: string; onClose(): void }) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="more-title" onClose={onClose}>
      <header class="row">
        <h2 id="more-title">More</h2>
        <button type="button" class="quiet icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <Doors doors={doors} current={current} />
      <div class="row">
        <ThemeSwitch name="theme-sheet" />
        <button
          type="button"
          class="quiet"
          onClick={() => {
            dialog.current?.close();
            openHelp();
          }}
        >
          Help and keys
        </button>
      </div>
    </dialog>
  );
}

const THEME_NAMES: Record<Theme, string> = { system: "As the system has it", light: "Light", dark: "Dark" };

function ThemeSwitch({ name: group }: { name: string }) {
  return (
    <fieldset class="theme-switch">
      <legend class="sr-only">Colours</legend>
      {THEMES.map((name) => (
        <label key={name} title={THEME_NAMES[name]}>
          <input type="radio" name={group} checked={theme.value === name} onChange={() => setTheme(name)} />
          <span class="sr-only">{THEME_NAMES[name]}</span>
          <Icon name={name} />
        </label>
      ))}
    </fieldset>
  );
}
