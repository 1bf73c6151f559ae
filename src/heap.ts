import { setFlagsFromString } from "node:v8";

/*
 * Trades a little time for memory: by itself V8 lets garbage pile up to more than everything the server holds before it
 * looks through the old objects. The setting is read whenever that limit is worked out anew, so it may be made after the
 * start. Sizes of the heap may not, and a smaller space for young objects makes every call dearer.
 */
setFlagsFromString("--heap-growing-percent=30");
