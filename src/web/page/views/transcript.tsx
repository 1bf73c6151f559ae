import { MarkedText } from "../reading/marked-text.js";
import { spansOf } from "../reading/marks.js";
import { More } from "../reading/more.js";
import { webAddress } from "../reading/small-print.js";
import { Awaited, Empty } from "../reading/states.js";
import { linesOf } from "../reading/transcript-lines.js";
import { useAnswer } from "../server/use-answer.js";
import { useWindows } from "../server/use-windows.js";

interface Video {
  transcript: string | null;
  next_content_offset?: number | null;
}
const windowOf = ({ transcript, next_content_offset = null }: Video) => ({
  text: transcript ?? "",
  next: next_content_offset,
});

/** The transcript of a video with times; a click on a time opens the video there. */
export function Transcript({ id, url, query }: { id: string; url: string | null | undefined; query: string }) {
  const answer = useAnswer<Video>("get_video", { id });
  const video = useWindows(answer.data, windowOf, "get_video", { id });
  return (
    <section aria-label="Transcript">
      <h2 class="ornament">Transcript</h2>
      <Awaited answer={answer}>
        {({ transcript }) => (
          <>
            {transcript === null && <Empty>Reader has no transcript of this video.</Empty>}
            <ol class="transcript">
              {linesOf(video.text).map(({ time, seconds, text }, index) => (
                <li key={index}>
                  <Time time={time} seconds={seconds} url={url} />
                  <span dir="auto">
                    <MarkedText text={text} spans={query ? spansOf(query, text) : []} />
                  </span>
                </li>
              ))}
            </ol>
            <More label="Read on" busy="Reading on …" of={video} />
          </>
        )}
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
