import type { ReviewHighlight } from "../../../shelves/readwise/schemas.js";
import { placeOf } from "./places.js";
import { Outward, SmallPrint } from "./small-print.js";
import { Empty } from "./states.js";

export interface Review {
  review_url: string | null;
  review_completed: boolean | null;
  highlights: ReviewHighlight[];
}

/** Today's highlights, one by one. */
export function ReviewCards({ review }: { review: Review }) {
  if (review.highlights.length === 0) return <Empty>Nothing to review today.</Empty>;
  return (
    <>
      <ol class="epigraphs">
        {review.highlights.map((highlight) => (
          <li key={highlight.id}>
            <blockquote dir="auto">{highlight.text}</blockquote>
            <SmallPrint
              parts={[highlight.author, highlight.title && <cite>{highlight.title}</cite>, placeOf(highlight)]}
            />
            {highlight.note && (
              <p class="note" dir="auto">
                {highlight.note}
              </p>
            )}
          </li>
        ))}
      </ol>
      <Outward url={review.review_url}>
        {review.review_completed ? "Done for today; open the review" : "Do this review at Readwise"}
      </Outward>
    </>
  );
}
