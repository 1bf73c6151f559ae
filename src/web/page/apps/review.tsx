import { type Review, ReviewCards } from "../reading/review.js";
import { showApp } from "./frame.js";

showApp<Review>((review) => (
  <>
    <h1 class="sr-only">Today’s review</h1>
    <ReviewCards review={review} />
  </>
));
