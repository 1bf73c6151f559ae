import { HitList, NothingFits } from "../reading/hits.js";
import { type LibraryAnswer, libraryHits } from "../reading/library-hits.js";
import { plural } from "../reading/small-print.js";
import { showApp } from "./frame.js";
import { toolInput } from "./host.js";

showApp<LibraryAnswer>((answer) => {
  const query = typeof toolInput.value.query === "string" ? toolInput.value.query : "";
  const hits = libraryHits(answer);
  return (
    <>
      <h1 class="sr-only">Found in your reading</h1>
      {answer.best_match === "none" || hits.length === 0 ? (
        <NothingFits nearest={hits.length} />
      ) : (
        <p class="status-line">{plural(hits.length, "place")} in your reading</p>
      )}
      {hits.length > 0 && (
        <HitList hits={hits} query={query} far={answer.best_match === "none"} linkTo={() => undefined} />
      )}
    </>
  );
});
