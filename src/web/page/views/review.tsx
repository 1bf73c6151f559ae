import { type Review, ReviewCards } from "../reading/review.js";
import { Awaited, Empty } from "../reading/states.js";
import { REVIEW } from "../server/first-calls.js";
import { useAnswer } from "../server/use-answer.js";

export function ReviewToday() {
  const answer = useAnswer<Review>(REVIEW, {});
  return (
    <section aria-labelledby="review">
      <h2 id="review" class="ornament">
        Today’s review
      </h2>
      <Awaited answer={answer}>
        {(review) =>
          review.highlights.length ? <ReviewCards review={review} /> : <Empty>Nothing to review today.</Empty>
        }
      </Awaited>
    </section>
  );
}
