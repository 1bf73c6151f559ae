import { useState } from "preact/hooks";
import { href } from "../href.js";
import { tools } from "../server/connection.js";
import { Effect } from "./effect.js";
import { ToolCard } from "./tool-card.js";

export function ToolsView({ name }: { name: string | undefined }) {
  const [filter, setFilter] = useState("");
  const list = tools.value ?? [];
  const chosen = list.find((tool) => tool.name === name) ?? (name === undefined ? list[0] : undefined);
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
        <nav aria-label="Tools">
          <ul>
            {shown.map((tool) => (
              <li key={tool.name}>
                <a href={href(["tools", tool.name])} aria-current={tool === chosen ? "true" : undefined}>
                  <code>{tool.name}</code>
                  <Effect tool={tool} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {chosen ? <ToolCard key={chosen.name} tool={chosen} /> : <p>The server offers no tool named “{name}”.</p>}
    </div>
  );
}
