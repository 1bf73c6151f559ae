import { useState } from "preact/hooks";
import { type Answer, AnswerText } from "../reading/answer.js";
import { Problem, Waiting } from "../reading/states.js";
import { callTool, type Failure } from "../server/connection.js";
import type { Opened } from "./notebooks.js";

interface AskBoxProps {
  notebook: string;
  open: number | undefined;
  onCite: ((opened: Opened) => void) | undefined;
}

export function AskBox({ notebook, open, onCite }: AskBoxProps) {
  const [question, setQuestion] = useState("");
  const [asking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<Failure>();

  async function ask(text: string) {
    setQuestion(text);
    setAsking(true);
    setError(undefined);
    const result = await callTool<Answer>("ask", { notebook_id: notebook, question: text });
    setAsking(false);
    if (result.ok) setAnswer(result.data);
    else setError(result.error);
  }

  return (
    <section aria-label="Ask">
      <form
        class="search-box"
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim()) void ask(question.trim());
        }}
      >
        <label class="sr-only" for="question">
          Ask the sources of this notebook
        </label>
        <input
          id="question"
          autocomplete="off"
          maxLength={10_000}
          placeholder="Ask the sources of this notebook"
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
        {answer && !asking && (
          <AnswerText
            answer={answer}
            open={open}
            onCite={({ source_id, source_title, excerpt, mark }) =>
              onCite?.({ source: source_id, title: source_title, passage: excerpt, mark })
            }
          />
        )}
      </div>
      {answer && !asking && answer.follow_up_questions.length > 0 && (
        <fieldset class="chips">
          <legend class="sr-only">Questions to go on with</legend>
          {answer.follow_up_questions.map((next) => (
            <button key={next} type="button" onClick={() => void ask(next)}>
              <bdi>{next}</bdi>
            </button>
          ))}
        </fieldset>
      )}
    </section>
  );
}
