import { setFlagsFromString } from "node:v8";

/*
 * Trades a little time for memory. By itself V8 lets garbage pile up to more than everything the server holds before it
 * looks through the old objects, and lets the space for young ones grow to 48 MiB, nearly all of it garbage too. Both
 * settings are read whenever a limit is computed again, so they may be made after the start.
 */

// When the shelves have been read and nothing of them has run: the space has doubled once by then, which spares every
// second collection of the start and takes 2 MiB.
setFlagsFromString("--semi-space-growth-factor=1");
// When the first question is answered: looking through the old objects keeps a processor busy.
setTimeout(() => setFlagsFromString("--heap-growing-percent=30"), 1_000).unref();
