import { essaysOnFinding } from "./project-essays-finding.js";
import { essaysOnReading } from "./project-essays-reading.js";
import type { SampleProject } from "./types.js";

export const sampleProject: SampleProject = {
  id: "demo/reading",
  description: "Essays on reading, remembering and finding again, written for the demonstration library.",
  documents: [...essaysOnReading, ...essaysOnFinding],
};
