import { HitList } from "../reading/hits.js";
import { type LibraryAnswer, libraryHits } from "../reading/library-hits.js";
import { plural } from "../reading/small-print.js";
import { Empty } from "../reading/states.js";
import { showApp } from "./frame.js";
import { toolInput } from "./host.js";

showApp<LibraryAnswer>((answer) => {
  const query = typeof toolInput.value.query === "string" ? toolInput.value.query : "";
  const hits = libraryHits(answer);
  return (
    <>
      <p class="status-line">{plural(hits.length, "place")} in your reading</p>
      {hits.length ? (
        <HitList hits={hits} query={query} linkTo={() => undefined} />
      ) : (
        <Empty>Nothing has these words.</Empty>
      )}
    </>
  );
});
