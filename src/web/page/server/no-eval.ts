import { config } from "zod/v4/core";

// The content policy forbids compiling strings. Without this, Zod tries it once and the browser reports a violation.
config({ jitless: true });
