import { useState } from "preact/hooks";
import { MarkedText } from "../reading/marked-text.js";
import { spansOf } from "../reading/marks.js";
import { webAddress } from "../reading/small-print.js";
import { Awaited, Empty, Problem } from "../reading/states.js";
import { linesOf } from "../reading/transcript-lines.js";
import { callTool, type Failure } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";

interface Video {
  transcript: string | null;
  next_content_offset?: number | null;
}

/** The transcript of a video with times; a click on a time opens the video there. */
export function Transcript({ id, url, query }: { id: string; url: string | null | undefined; query: string }) {
  const answer = useAnswer<Video>("get_video", { id });
  const [rest, setRest] = useState<{ text: string; next: number | null }>();
  const [error, setError] = useState<Failure>();

  async function readOn(offset: number) {
    const more = await callTool<Video>("get_video", { id, content_offset: offset });
    if (!more.ok) return setError(more.error);
    setRest((before) => ({
      text: (before?.text ?? "") + (more.data.transcript ?? ""),
      next: more.data.next_content_offset ?? null,
    }));
  }

  return (
    <section aria-label="Transcript">
      <h2 class="ornament">Transcript</h2>
      <Awaited answer={answer}>
        {({ transcript, next_content_offset }) => {
          const next = rest ? rest.next : (next_content_offset ?? null);
          return (
            <>
              {transcript === null && <Empty>Reader has no transcript of this video.</Empty>}
              <ol class="transcript">
                {linesOf((transcript ?? "") + (rest?.text ?? "")).map(({ time, seconds, text }, index) => (
                  <li key={index}>
                    <Time time={time} seconds={seconds} url={url} />
                    <span dir="auto">
                      <MarkedText text={text} spans={query ? spansOf(query, text) : []} />
                    </span>
                  </li>
                ))}
              </ol>
              {error && <Problem error={error} />}
              {next !== null && (
                <button type="button" onClick={() => void readOn(next)}>
                  Read on
                </button>
              )}
            </>
          );
        }}
      </Awaited>
    </section>
  );
}

function Time({ time, seconds, url }: { time: string; seconds: number; url: string | null | undefined }) {
  const address = webAddress(url);
  if (!time || !address) return <span class="small-print">{time}</span>;
  const at = new URL(address);
  at.searchParams.set("t", String(seconds));
  return (
    <a href={at.href} target="_blank" rel="noreferrer noopener" aria-label={`Watch from ${time}`}>
      {time}
    </a>
  );
}
