import { useState } from "preact/hooks";
import { CopyButton } from "../reading/clipboard.js";
import { Awaited } from "../reading/states.js";
import { choicesOf } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";

interface CiteProps {
  /** The project or notebook. */
  place: string;
  /** Its citation key, or in a notebook its id. */
  source: string;
  pages?: string | null;
}

interface Cited {
  citation: string;
  bibliography: string | null;
  incomplete: { missing: string[] }[];
}

/** The citation of a source in a style of the reader's choice, with its bibliography entry. */
export function Cite({ place, source, pages }: CiteProps) {
  const [open, setOpen] = useState(false);
  const [style, setStyle] = useState("apa");
  const sources = [[source, pages].filter(Boolean).join(", ")];
  const answer = useAnswer<Cited>(
    "cite",
    open ? { project: place, sources, style, bibliography: "formatted" } : undefined,
  );
  return (
    <details class="drawer" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Cite this</summary>
      <label>
        Style
        <select value={style} onInput={(event) => setStyle(event.currentTarget.value)}>
          {choicesOf("cite", "style").map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <div aria-live="polite">
        {open && (
          <Awaited answer={answer}>
            {({ citation, bibliography, incomplete }) => (
              <>
                <Copied text={citation} label="Copy the citation" what="the citation" />
                {bibliography && <Copied text={bibliography} label="Copy the entry" what="the bibliography entry" />}
                {incomplete[0] && <p class="remark">Not known of this source: {incomplete[0].missing.join(", ")}.</p>}
              </>
            )}
          </Awaited>
        )}
      </div>
    </details>
  );
}

function Copied({ text, label, what }: { text: string; label: string; what: string }) {
  return (
    <>
      <p class="citation" dir="auto">
        {text}
      </p>
      <CopyButton text={text} label={label} what={what} />
    </>
  );
}
