import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { href } from "../href.js";
import { plural, SmallPrint } from "../reading/small-print.js";
import { Empty, Problem } from "../reading/states.js";
import { go } from "../routes.js";
import type { Failure } from "../server/connection.js";
import { leaving } from "../server/deleting.js";
import { type NamedPlace, newPlace, type PlaceKind } from "../server/places.js";

/** What a notebook and a project are, in one sentence each. */
export const PLACE_WORDS: Readonly<Record<PlaceKind, string>> = {
  notebook: "A notebook is for asking: a few sources, and answers that cite them.",
  project: "A project is for writing: every passage has its page and citation key, and a bibliography goes with it.",
};

interface PlaceListProps {
  kind: PlaceKind;
  count: number;
  list: readonly (NamedPlace & { about?: string | null | undefined; parts: readonly ComponentChildren[] })[];
  /** A question that the chosen one shall answer. */
  ask?: string | undefined;
  /** Shown where there is none. */
  children: ComponentChildren;
}

export function PlaceList({ kind, count, list, ask, children }: PlaceListProps) {
  return (
    <>
      <p class="status-line" role="status">
        {plural(count, kind)}
      </p>
      {list.length === 0 && <Empty>{children}</Empty>}
      <ul class="shelf">
        {list
          .filter(({ id }) => !leaving.value.has(id))
          .map(({ id, name, about, parts }) => (
            <li key={id}>
              <a href={href([`${kind}s`, id], { ask })}>
                <strong dir="auto">{name}</strong>
              </a>
              {about && <p>{about}</p>}
              <SmallPrint parts={parts} />
            </li>
          ))}
      </ul>
    </>
  );
}

export function NewPlace({ kind, example }: { kind: PlaceKind; example?: string }) {
  const [name, setName] = useState("");
  const [error, setError] = useState<Failure>();
  async function create(event: Event) {
    event.preventDefault();
    const answer = await newPlace(kind, name);
    if (answer.ok) go(href([`${kind}s`, answer.data.id]));
    else setError(answer.error);
  }
  return (
    <form class="inline-form" onSubmit={(event) => void create(event)}>
      <label for="place-name">New {kind}</label>
      <input
        id="place-name"
        value={name}
        maxLength={200}
        placeholder={example}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" disabled={!name.trim()}>
        Create
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}
