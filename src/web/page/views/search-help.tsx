import { SEARCH_KEYS, termOf } from "../reading/search-terms.js";
import { places } from "../server/places.js";
import { useReaderTags } from "./tag-dialog.js";

const OFFERED = ["tag", "author", "in", "before", "after"] as const;
const COMPLETIONS = 8;
const IN = ["highlights", "documents", "passages", "inbox", "later", "shortlist", "archive"];

/** The terms of a search, and values for the term being typed. */
export function SearchHelp({ typed, onChange }: { typed: string; onChange(text: string): void }) {
  const last = /(?:^|\s)(-?)(tag|in):([^\s"]*)$/i.exec(typed);
  const isTag = last?.[2]?.toLowerCase() === "tag";
  const tags = useReaderTags(isTag);
  const known = isTag ? tags : [...IN, ...places.value.projects.map(({ name }) => name)];
  const begun = last?.[3]?.toLowerCase() ?? "";
  const fitting = last
    ? known.filter((name) => name.toLowerCase().includes(begun) && name !== begun).slice(0, COMPLETIONS)
    : [];
  if (last && fitting.length > 0)
    return (
      <fieldset class="chips terms" id="search-terms">
        <legend class="sr-only">What could follow</legend>
        {fitting.map((name) => (
          <button
            key={name}
            type="button"
            onClick={() =>
              onChange(
                `${typed.slice(0, typed.length - (last[3]?.length ?? 0) - last[2]!.length - 1)}${termOf(last[2]!, name)} `,
              )
            }
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </fieldset>
    );
  return (
    <fieldset class="chips terms" id="search-terms">
      <legend class="sr-only">Narrow the search</legend>
      {OFFERED.map((key) => (
        <button
          key={key}
          type="button"
          title={SEARCH_KEYS[key]}
          onClick={() => onChange(`${typed}${typed && !typed.endsWith(" ") ? " " : ""}${key}:`)}
        >
          {key}:
        </button>
      ))}
    </fieldset>
  );
}
