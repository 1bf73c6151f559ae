import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { href } from "../href.js";
import { type ToolInfo, tools } from "../server/connection.js";
import { Effect, ToolCard } from "./tool-card.js";

export function ToolsView({ name }: { name: string | undefined }) {
  const [filter, setFilter] = useState("");
  const list = tools.value ?? [];
  const chosen = list.find((tool) => tool.name === name) ?? (name === undefined ? list[0] : undefined);
  const nav = useRef<HTMLElement>(null);
  // Scrolls the list to the chosen tool, not the page.
  useLayoutEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link && nav.current)
      nav.current.scrollTop = link.offsetTop - nav.current.offsetTop - nav.current.clientHeight / 3;
  }, [chosen?.name]);
  const shown = list.filter((tool) =>
    `${tool.name} ${tool.title} ${tool.description}`.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <div class="view with-list">
      <div class="tool-list">
        <h1>Tools</h1>
        <label class="sr-only" for="filter">
          Filter the tools
        </label>
        <input
          id="filter"
          type="search"
          placeholder={`Filter ${list.length} tools`}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <p class="sr-only" role="status">
          {shown.length} shown
        </p>
        <nav aria-label="Tools" ref={nav}>
          {SHELVES.map((shelf) => (
            <Shelf key={shelf} title={shelf} tools={shown.filter((tool) => shelfOf(tool) === shelf)} chosen={chosen} />
          ))}
        </nav>
      </div>
      {chosen ? <ToolCard key={chosen.name} tool={chosen} /> : <p>The server offers no tool named “{name}”.</p>}
    </div>
  );
}

const SHELVES = ["Readwise", "Notebooks", "Projects and citations"] as const;

/** The shelf of a tool, inferred from its name and parameters: the protocol has no field for it. */
function shelfOf({ name, inputSchema: { properties = {} } }: ToolInfo): (typeof SHELVES)[number] {
  if ("notebook_id" in properties || /notebook|^health_check$/.test(name)) return "Notebooks";
  return "project" in properties || /project/.test(name) ? "Projects and citations" : "Readwise";
}

interface ShelfProps {
  title: string;
  tools: readonly ToolInfo[];
  chosen: ToolInfo | undefined;
}

function Shelf({ title, tools: list, chosen }: ShelfProps) {
  if (list.length === 0) return null;
  return (
    <section>
      <h2>
        {title} <span class="count">{list.length}</span>
      </h2>
      <ul>
        {list.map((tool) => (
          <li key={tool.name}>
            <a href={href(["tools", tool.name])} aria-current={tool === chosen ? "true" : undefined}>
              <code>{tool.name}</code>
              <Effect tool={tool} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
