/** Seconds a tool may take: the default, and the maximum that can be set. */
const SECONDS = {
  health_check: { usual: 30, most: 60 },
  list_notebooks: { usual: 30, most: 60 },
  get_notebook: { usual: 30, most: 60 },
  list_notebook_sources: { usual: 30, most: 60 },
  add_source: { usual: 60, most: 120 },
  ask: { usual: 90, most: 180 },
  create_notebook: { usual: 30, most: 60 },
  rename_notebook: { usual: 30, most: 60 },
  get_source_text: { usual: 30, most: 60 },
  delete_notebook: { usual: 30, most: 60 },
  remove_source: { usual: 30, most: 60 },
} as const;

export type NotebookTool = keyof typeof SECONDS;

export const usualMs = (tool: NotebookTool): number => SECONDS[tool].usual * 1000;

/** The deadline of a notebook tool under the owner's setting; undefined for tools of other shelves. */
export function deadlineFor(toolName: string, timeoutSeconds: number | undefined): number | undefined {
  if (!Object.hasOwn(SECONDS, toolName)) return undefined;
  const { usual, most } = SECONDS[toolName as NotebookTool];
  return Math.min(timeoutSeconds ?? usual, most) * 1000;
}
