import { useState } from "preact/hooks";
import type { Verification } from "../../../citations/quotes.js";
import { href } from "../href.js";
import { Awaited } from "../reading/states.js";
import { restate, route } from "../routes.js";
import { useAnswer } from "../server/use-answer.js";
import { PlaceChoice } from "./place-choice.js";
import { Verdict } from "./quote-verdict.js";

/** Checks a quotation against everything or one project. The quotation is in the address. */
export function QuoteView() {
  const { query } = route.value;
  return (
    <div class="view narrow">
      <h1>Check a quotation</h1>
      <p>
        Are these words in what you have read, and just so? Highlights, notebooks and projects are all looked at, or the
        one you choose.
      </p>
      <QuoteForm
        key={query.toString()}
        given={{
          quote: query.get("quote") ?? "",
          source: query.get("source") ?? "",
          project: query.get("project") ?? "",
        }}
      />
    </div>
  );
}

interface Given {
  quote: string;
  source: string;
  /** The id of a project or notebook; everything if empty. */
  project: string;
}

function QuoteForm({ given }: { given: Given }) {
  const [quote, setQuote] = useState(given.quote);
  const [source, setSource] = useState(given.source);
  const [project, setProject] = useState(given.project);
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
  const verdict = useAnswer<Verification>("verify_quote", given.quote ? args : undefined);

  return (
    <>
      <form
        class="quote-form"
        onSubmit={(event) => {
          event.preventDefault();
          restate(href(["quote"], { quote: quote.trim(), source: source.trim(), project }));
        }}
      >
        <label>
          The words as you have them
          <textarea
            name="quote"
            rows={4}
            maxLength={5_000}
            value={quote}
            onInput={(event) => setQuote(event.currentTarget.value)}
          />
        </label>
        <label>
          From (title, author or citekey, if you know it)
          <input
            name="source"
            value={source}
            autocomplete="off"
            onInput={(event) => setSource(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <PlaceChoice label="In" value={project} onChange={setProject} />
          <button type="submit" class="primary" disabled={!quote.trim()}>
            Check
          </button>
        </div>
      </form>
      <div aria-live="polite">
        <Awaited answer={verdict}>{(answer) => <Verdict answer={answer} />}</Awaited>
      </div>
    </>
  );
}
