#!/usr/bin/env node
// The heap is told its limits before the program is loaded: reading it would make the heap grow, and what has grown stays.
import "./heap.js";

await import("./program.js");
