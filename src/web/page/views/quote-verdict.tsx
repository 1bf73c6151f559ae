import type { ClosestPassage, Verification } from "../../../citations/quotes.js";
import { href } from "../href.js";
import { CopyButton } from "../reading/clipboard.js";
import { Differences } from "../reading/differences.js";
import { pagesOf } from "../reading/places.js";
import { plural, SmallPrint } from "../reading/small-print.js";
import { offers } from "../server/connection.js";

const VERDICTS: Record<Verification["verdict"], { title: string; tone: "good" | "fair" | "bad" }> = {
  exact: { title: "Exact: it stands there word for word", tone: "good" },
  normalised: { title: "The same words; only case, spacing or marks differ", tone: "good" },
  fuzzy: { title: "Almost: the wording differs", tone: "fair" },
  misattributed: { title: "It stands in another source", tone: "fair" },
  stitched: { title: "Put together from several places", tone: "fair" },
  absent: { title: "Not found", tone: "bad" },
};

/** The result of a quotation check, for a person. */
export function Verdict({ answer }: { answer: Verification }) {
  const { title, tone } = VERDICTS[answer.verdict];
  return (
    <div class={`verdict ${tone}`}>
      <p>
        <strong>{title}</strong>
      </p>
      {answer.matches.map((match) => (
        <Match key={placeOf(match)} match={match} />
      ))}
      {answer.elsewhere && answer.elsewhere.length > 0 && (
        <>
          <p class="small-print">But it stands elsewhere in your reading:</p>
          {answer.elsewhere.map((match) => (
            <Match key={placeOf(match)} match={match} />
          ))}
        </>
      )}
      {answer.closest && (
        <>
          <p class="small-print">The nearest there is:</p>
          <Match match={answer.closest} far />
        </>
      )}
      <p class="small-print">{searchedWords(answer)}</p>
    </div>
  );
}

const placeOf = ({ project, doc_id, start, chunk_id, highlight_id }: ClosestPassage) =>
  [project, doc_id, start, chunk_id, highlight_id].join(" ");

function searchedWords({ searched, verdict }: Verification): string {
  const where = [
    searched.projects.length > 0 && plural(searched.projects.length, "project"),
    searched.notebooks.length > 0 && plural(searched.notebooks.length, "notebook"),
    searched.highlights !== null && plural(searched.highlights, "highlight"),
  ].filter(Boolean);
  const compared = "Only the wording is compared.";
  return verdict === "absent" && where.length > 0 ? `Looked at ${where.join(", ")}. ${compared}` : compared;
}

/** With `far`, it is no wording of the quotation, only what is nearest to it. */
function Match({ match, far = false }: { match: ClosestPassage; far?: boolean }) {
  const link = linkTo(match);
  const words = far ? "these words with their citation" : "the true wording with its citation";
  const wording = match.printed ?? match.text;
  const source = match.cite ?? [match.author, match.title, pagesOf(match.page_span ?? null)].filter(Boolean).join(", ");
  return (
    <figure class="match">
      {match.marked ? <Differences marked={match.marked} /> : <blockquote dir="auto">{wording}</blockquote>}
      <SmallPrint
        parts={[
          match.author,
          match.title,
          match.citekey && `@${match.citekey}`,
          pagesOf(match.page_span ?? null),
          match.similarity < 1 && `${Math.round(match.similarity * 100)} % alike`,
        ]}
      />
      <div class="row foot">
        {link && <a href={link}>Read it there</a>}
        <CopyButton text={`“${wording}” ${source}`} label={`Copy ${words}`} what={words} />
      </div>
    </figure>
  );
}

function linkTo(match: ClosestPassage): string | undefined {
  if (match.origin === "highlights")
    return match.source_id === undefined
      ? undefined
      : href(["sources", match.source_id], { highlight: String(match.highlight_id ?? "") });
  if (match.origin !== "project" || !match.project || !offers("read_passage")) return undefined;
  if (match.chunk_id) return href(["projects", match.project, "passages", match.chunk_id], { quote: match.text });
  const target = match.doc_id ?? match.citekey;
  if (!target) return undefined;
  return href(["projects", match.project, "documents", target], {
    from: String(Math.max(0, (match.start ?? 0) - 600)),
    quote: match.text,
  });
}
