import { type Review, ReviewCards } from "../reading/review.js";
import { Empty } from "../reading/states.js";
import { showApp } from "./frame.js";

showApp<Review>((review) => (
  <>
    <h1 class="sr-only">Today’s review</h1>
    {review.highlights.length ? <ReviewCards review={review} /> : <Empty>Nothing to review today.</Empty>}
  </>
));
