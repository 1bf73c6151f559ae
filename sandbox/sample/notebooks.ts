import { readingMachines } from "./notebook-reading-machines.js";
import { tides } from "./notebook-tides.js";
import type { SampleNotebook } from "./types.js";

export const sampleNotebooks: SampleNotebook[] = [readingMachines, tides];
