import { useEffect, useState } from "preact/hooks";
import { href } from "../href.js";
import { say } from "../notices.js";
import { type Answer, AnswerText } from "../reading/answer.js";
import { CopyButton } from "../reading/clipboard.js";
import { download } from "../reading/download.js";
import { day, plural } from "../reading/small-print.js";
import { Problem, Waiting } from "../reading/states.js";
import { restate, route } from "../routes.js";
import { callTool, type Failure, takes } from "../server/connection.js";
import {
  asHtml,
  asMarkdown,
  deleteAnswer,
  deleteAnswers,
  type Kept,
  keep,
  keptAnswers,
} from "../server/kept-answers.js";
import type { Opened } from "./source-text.js";

interface AskBoxProps {
  /** A notebook or a project, by its id. */
  notebook: string;
  /** Its address on this page. */
  path: readonly string[];
  what: "notebook" | "project";
  /** Suggested first questions. */
  suggested?: readonly string[];
  open: number | undefined;
  onCite: ((opened: Opened) => void) | undefined;
}

/** Asks the notebook and keeps the answers: each has an address of its own. */
export function AskBox({ notebook, path, what, suggested = [], open, onCite }: AskBoxProps) {
  const kept = keptAnswers(notebook).value;
  const { query } = route.value;
  const shown = kept.find(({ id }) => id === query.get("answer")) ?? kept[0];
  const questions = shown ? shown.answer.follow_up_questions : suggested;
  const [question, setQuestion] = useState("");
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<Failure>();

  async function ask(text: string, goOnWith?: Kept) {
    setQuestion(text);
    setAsking(true);
    setError(undefined);
    const conversation = goOnWith?.answer.conversation_id;
    const result = await callTool<Answer>("ask", {
      notebook_id: notebook,
      question: text,
      ...(conversation && takes("ask", "conversation_id") ? { conversation_id: conversation } : {}),
    });
    setAsking(false);
    if (!result.ok) return setError(result.error);
    setQuestion("");
    restate(href(path, { answer: keep(notebook, text, result.data).id }));
  }

  // Asked from another view: the question is in the address.
  const given = query.get("ask");
  useEffect(() => {
    if (given) void ask(given);
  }, [given]);

  return (
    <section aria-label="Ask">
      <form
        class="search-box"
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim()) void ask(question.trim(), shown);
        }}
      >
        <label class="sr-only" for="question">
          Ask the sources of this {what}
        </label>
        <input
          id="question"
          autocomplete="off"
          maxLength={10_000}
          placeholder={shown ? "Ask a follow-up question" : `Ask this ${what}`}
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={asking || !question.trim()}>
          Ask
        </button>
      </form>
      <div aria-live="polite">
        {asking && <Waiting />}
        {error && <Problem error={error} />}
        {shown && !asking && (
          <>
            <h2 class="question" dir="auto">
              {shown.question}
            </h2>
            <AnswerText
              answer={shown.answer}
              open={open}
              onCite={({ source_id, source_title, excerpt, mark }) =>
                onCite?.({ source: source_id, title: source_title, passage: excerpt, mark })
              }
            />
            <div class="row foot">
              <CopyButton
                text={() => asMarkdown(shown)}
                html={() => asHtml(shown)}
                label="Copy with citations"
                what="the answer with its citations"
              />
              <CopyButton
                text={() => new URL(href(path, { answer: shown.id }), location.href).href}
                label="Copy link"
                what="the link to this answer"
              />
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  const restore = deleteAnswer(notebook, shown.id);
                  say("Deleted this answer.", { action: { label: "Undo", run: restore } });
                }}
              >
                Delete this answer
              </button>
            </div>
          </>
        )}
      </div>
      {!asking && questions.length > 0 && (
        <fieldset class={shown ? "chips" : "chips questions"}>
          <legend class={shown && "sr-only"}>{shown ? "Questions to go on with" : "Questions to begin with"}</legend>
          {questions.map((next) => (
            <button key={next} type="button" onClick={() => void ask(next, shown)}>
              <bdi>{next}</bdi>
            </button>
          ))}
        </fieldset>
      )}
      {kept.length > 1 && <Earlier notebook={notebook} path={path} kept={kept} shown={shown} />}
    </section>
  );
}

interface EarlierProps {
  notebook: string;
  path: readonly string[];
  kept: readonly Kept[];
  shown: Kept | undefined;
}

function Earlier({ notebook, path, kept, shown }: EarlierProps) {
  return (
    <details class="drawer">
      <summary>Earlier questions ({kept.length})</summary>
      <ul class="lines">
        {kept.map(({ id, question, asked_at }) => (
          <li key={id}>
            <a href={href(path, { answer: id })} aria-current={id === shown?.id ? "true" : undefined} dir="auto">
              {question}
            </a>{" "}
            <span class="small-print">{day(asked_at)}</span>
          </li>
        ))}
      </ul>
      <div class="row foot">
        <CopyButton
          text={() => kept.map(asMarkdown).reverse().join("\n\n")}
          label="Copy all as Markdown"
          what="all questions and answers"
        />
        <button
          type="button"
          class="quiet"
          onClick={() => download("answers.md", kept.map(asMarkdown).reverse().join("\n\n"))}
        >
          Download
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            const restore = deleteAnswers(notebook);
            say(`Deleted ${plural(kept.length, "answer")}.`, { action: { label: "Undo", run: restore } });
          }}
        >
          Delete all
        </button>
      </div>
      <p class="small-print">They are kept in this browser only.</p>
    </details>
  );
}
