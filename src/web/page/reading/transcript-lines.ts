/** `[1:02:03] words`, one per line; a line without a time continues the one before. */
export function linesOf(transcript: string): { time: string; seconds: number; text: string }[] {
  return transcript
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => {
      const [, time = "", text = line] = /^\[(\d{1,3}(?::\d{2}){1,2})\] ?(.*)$/.exec(line) ?? [];
      return { time, seconds: time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0), text };
    });
}
