import { useEffect, useRef, useState } from "preact/hooks";
import { findPassage } from "../reading/marks.js";
import { Paragraph, paragraphsIn } from "../reading/paragraphs.js";
import { Problem, Waiting } from "../reading/states.js";
import { callTool, type Failure, offers, type Result } from "../server/connection.js";
import { Cite } from "./cite.js";

interface Window {
  content: string;
  content_length: number;
  truncated: boolean;
  next_content_offset: number | null;
}

const WINDOW = 36_000;

/** The source and the cited passage shown beside the notebook. */
export interface Opened {
  source: string;
  title: string;
  passage: string | null;
  mark?: number;
}

/** A source's text beside the notebook, with the cited passage marked. */
export function SourceText({ notebook, opened, onClose }: { notebook: string; opened: Opened; onClose: () => void }) {
  const { text, error, next, readOn } = useSourceText(notebook, opened);
  const panel = useRef<HTMLElement>(null);
  const place = opened.passage && text !== undefined ? findPassage(text, opened.passage) : undefined;
  const from = place?.[0] ?? -1;

  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, [opened]);
  useEffect(() => {
    if (from < 0) return;
    const cited = document.getElementById("cited");
    const reader = panel.current;
    // Scrolls only the source text: the answer beside it stays in place.
    if (cited && reader) reader.scrollTop = cited.offsetTop - reader.clientHeight / 3;
  }, [from, opened]);

  return (
    <aside class="reader" ref={panel} tabIndex={-1} aria-label={`Text of ${opened.title}`}>
      <header class="row">
        <h2 dir="auto">{opened.title}</h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      {offers("cite") && <Cite key={opened.source} place={notebook} source={opened.source} />}
      {error && <Problem error={error} />}
      {text === undefined && !error && <Waiting />}
      {text !== undefined && opened.passage && !place && next === null && (
        <p class="remark">The cited words are no longer found in this source.</p>
      )}
      {text !== undefined && (
        <div class="prose">
          {paragraphsIn(text).map((part) => (
            <Paragraph key={part.start} {...part} spans={place ? [place] : []} markedId="cited" />
          ))}
        </div>
      )}
      {next !== null && text !== undefined && (
        <button type="button" onClick={readOn}>
          Read on
        </button>
      )}
    </aside>
  );
}

function useSourceText(notebook: string, { source, passage }: Opened) {
  const [state, setState] = useState<{ text?: string; next: number | null; error?: Failure; of: string }>({
    next: null,
    of: "",
  });
  const [wanted, setWanted] = useState(1);
  const leaving = useRef<AbortController | undefined>(undefined);

  async function read(offset: number, before: string): Promise<void> {
    leaving.current?.abort();
    const own = new AbortController();
    leaving.current = own;
    let text = before;
    let next: number | null = offset;
    // Loads the text up to a cited passage deep in a long source.
    do {
      const answer: Result<Window> = await callTool<Window>(
        "get_source_text",
        { notebook_id: notebook, source_id: source, content_offset: next, content_max_chars: WINDOW },
        { signal: own.signal },
      );
      if (own.signal.aborted) return;
      if (!answer.ok) return setState({ text: before, next, error: answer.error, of: source });
      text += answer.data.content;
      next = answer.data.next_content_offset;
    } while (next !== null && passage && !findPassage(text, passage));
    setState({ text, next, of: source });
  }

  useEffect(() => {
    if (state.of !== source || (passage && state.next !== null && !findPassage(state.text ?? "", passage))) {
      setState({ next: null, of: source });
      void read(0, "");
    }
    return () => leaving.current?.abort();
  }, [notebook, source, passage, wanted]);

  return {
    text: state.of === source ? state.text : undefined,
    error: state.error,
    next: state.next,
    readOn: () => {
      setWanted(wanted + 1);
      if (state.next !== null) void read(state.next, state.text ?? "");
    },
  };
}
