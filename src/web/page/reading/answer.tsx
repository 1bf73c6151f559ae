import type { Answer, Citation } from "../../../shelves/notebooks/notebook-backend.js";
import { pagesOf } from "./places.js";
import { SmallPrint } from "./small-print.js";

export type { Answer, Citation };

const METHODS: Record<Answer["method"], string> = {
  extractive: "Sentences taken word for word from the sources",
  llm: "Written by a language model from the sources",
  notebooklm: "Written by NotebookLM from the sources",
};

/** An answer whose [n] marks are buttons; each opens the cited passage. */
export function AnswerText({
  answer,
  open,
  onCite,
}: {
  answer: Answer;
  open: number | undefined;
  onCite: (citation: Citation) => void;
}) {
  const byMark = new Map(answer.citations.map((citation) => [citation.mark, citation]));
  return (
    <section class="answer" aria-label="Answer">
      <div class="prose">
        {answer.answer.split(/\n{2,}/).map((paragraph, index) => (
          <p key={index} dir="auto">
            {paragraph.split(/(\[\d+\])/).map((part) => {
              const citation = /^\[\d+\]$/.test(part) ? byMark.get(Number(part.slice(1, -1))) : undefined;
              return citation ? (
                <button
                  type="button"
                  class="cite-mark"
                  aria-expanded={open === citation.mark}
                  title={citation.source_title}
                  onClick={() => onCite(citation)}
                >
                  [{citation.mark}]
                </button>
              ) : (
                part
              );
            })}
          </p>
        ))}
      </div>
      <SmallPrint
        parts={[
          answer.notes.length === 0 && METHODS[answer.method],
          answer.confidence && `Confidence: ${answer.confidence}`,
        ]}
      />
      {answer.notes.map((note) => (
        <p key={note} class="remark">
          <bdi>{note}</bdi>
        </p>
      ))}
      {answer.citations.length > 0 && (
        <ol class="citations" aria-label="Citations">
          {answer.citations.map((citation) => (
            <li key={citation.mark} value={citation.mark}>
              <button
                type="button"
                class="quiet"
                aria-expanded={open === citation.mark}
                onClick={() => onCite(citation)}
              >
                <bdi>{citation.source_title}</bdi>
              </button>
              <SmallPrint parts={[pagesOf(citation.page_span), citation.section]} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
