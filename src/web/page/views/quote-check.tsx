import { useState } from "preact/hooks";
import type { QuoteMatch, Verification } from "../../../citations/quotes.js";
import { href } from "../href.js";
import { pagesOf } from "../reading/places.js";
import { SmallPrint } from "../reading/small-print.js";
import { Problem, Waiting } from "../reading/states.js";
import { callTool, type Failure, offers } from "../server/connection.js";

const VERDICTS: Record<Verification["verdict"], { title: string; tone: "good" | "fair" | "bad" }> = {
  exact: { title: "Exact: it stands there word for word", tone: "good" },
  normalised: { title: "The same words; only case, spacing or marks differ", tone: "good" },
  fuzzy: { title: "Almost: the wording differs", tone: "fair" },
  misattributed: { title: "It stands in another source", tone: "fair" },
  stitched: { title: "Stitched together from several places", tone: "fair" },
  absent: { title: "Not found in this project", tone: "bad" },
};

export function QuoteCheck({ project }: { project: string }) {
  const [quote, setQuote] = useState("");
  const [source, setSource] = useState("");
  const [checking, setChecking] = useState(false);
  const [answer, setAnswer] = useState<Verification>();
  const [error, setError] = useState<Failure>();

  async function check(event: Event) {
    event.preventDefault();
    setChecking(true);
    setError(undefined);
    setAnswer(undefined);
    const result = await callTool<Verification>("verify_quote", {
      project,
      quote,
      ...(source.trim() ? { source: source.trim() } : {}),
    });
    setChecking(false);
    if (result.ok) setAnswer(result.data);
    else setError(result.error);
  }

  return (
    <details class="drawer">
      <summary>Check a quotation</summary>
      <form onSubmit={(event) => void check(event)}>
        <label>
          The words as you have them
          <textarea name="quote" rows={3} value={quote} onInput={(event) => setQuote(event.currentTarget.value)} />
        </label>
        <label>
          Said to be in (citekey, if you know it)
          <input
            name="source"
            value={source}
            autocomplete="off"
            onInput={(event) => setSource(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={checking || !quote.trim()}>
          Check
        </button>
      </form>
      <div aria-live="polite">
        {checking && <Waiting />}
        {error && <Problem error={error} />}
        {answer && <Verdict project={project} answer={answer} />}
      </div>
    </details>
  );
}

function Verdict({ project, answer }: { project: string; answer: Verification }) {
  const { title, tone } = VERDICTS[answer.verdict];
  return (
    <div class={`verdict ${tone}`}>
      <p>
        <strong>{title}</strong>
      </p>
      {answer.matches.map((match) => (
        <Match key={`${match.doc_id}${match.start}${match.chunk_id}`} project={project} match={match} />
      ))}
      {answer.closest && (
        <>
          <p class="small-print">Closest:</p>
          <Match project={project} match={answer.closest} />
        </>
      )}
      <p class="small-print">{answer.note}</p>
    </div>
  );
}

function Match({ project, match }: { project: string; match: Omit<QuoteMatch, "level" | "quoted"> }) {
  const target = match.doc_id ?? match.citekey;
  const readable = offers("read_passage") && (match.chunk_id !== undefined || target !== undefined);
  const link = match.chunk_id
    ? href(["projects", project, "passages", match.chunk_id], { quote: match.text })
    : href(["projects", project, "documents", target ?? ""], {
        from: String(Math.max(0, (match.start ?? 0) - 600)),
        quote: match.text,
      });
  return (
    <figure class="match">
      <blockquote dir="auto">{match.printed ?? match.text}</blockquote>
      <SmallPrint
        parts={[
          match.title,
          match.citekey && `@${match.citekey}`,
          pagesOf(match.page_span ?? null),
          `${Math.round(match.similarity * 100)} % alike`,
          readable && <a href={link}>Read it there</a>,
        ]}
      />
    </figure>
  );
}
