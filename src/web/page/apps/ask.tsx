import { useState } from "preact/hooks";
import { type Answer, AnswerText, type Citation } from "../reading/answer.js";
import { MarkedText } from "../reading/marked-text.js";
import { findPassage } from "../reading/marks.js";
import { showApp } from "./frame.js";
import { callThroughHost, hostCan, toolInput } from "./host.js";

const AROUND = 700;
const WINDOW = 36_000;

function Asked({ answer }: { answer: Answer }) {
  const [open, setOpen] = useState<Citation>();
  const [context, setContext] = useState<string>();

  async function show(citation: Citation) {
    if (open === citation) return setOpen(undefined);
    setOpen(citation);
    setContext(undefined);
    if (!citation.excerpt || !hostCan.value.serverTools) return;
    const result = await callThroughHost<{ content: string }>("get_source_text", {
      notebook_id: toolInput.value.notebook_id,
      source_id: citation.source_id,
      content_max_chars: WINDOW,
    }).catch(() => undefined); // only the excerpt is shown then
    const text =
      result?.structuredContent && "content" in result.structuredContent ? result.structuredContent.content : "";
    const place = findPassage(text, citation.excerpt);
    if (place) setContext(text.slice(Math.max(0, place[0] - AROUND), place[1] + AROUND));
  }

  const text = context ?? open?.excerpt ?? "";
  const place = open?.excerpt ? findPassage(text, open.excerpt) : undefined;
  return (
    <>
      {typeof toolInput.value.question === "string" && <h1 dir="auto">{toolInput.value.question}</h1>}
      <AnswerText answer={answer} open={open?.mark} onCite={(citation) => void show(citation)} />
      {open && (
        <section class="reader" aria-label={`Passage from ${open.source_title}`}>
          <h2 dir="auto">{open.source_title}</h2>
          <p class="prose" dir="auto">
            <MarkedText text={text} spans={place ? [place] : []} />
          </p>
        </section>
      )}
    </>
  );
}

showApp<Answer>((answer) => <Asked answer={answer} />);
