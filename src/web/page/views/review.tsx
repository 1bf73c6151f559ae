import { type Review, ReviewCards } from "../reading/review.js";
import { Section } from "../reading/section.js";
import { Awaited } from "../reading/states.js";
import { REVIEW } from "../server/first-calls.js";
import { useAnswer } from "../server/use-answer.js";

export function ReviewToday() {
  const answer = useAnswer<Review>(REVIEW, {});
  return (
    <Section id="review" title="Today’s review">
      <Awaited answer={answer}>{(review) => <ReviewCards review={review} />}</Awaited>
    </Section>
  );
}
