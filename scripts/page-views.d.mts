import type { Page } from "playwright-core";

export interface PageView {
  name: string;
  hash: string;
  /** A selector of what is there once the view is. */
  shows: string;
  /** What a person does after arriving, where the address alone does not lead to the view. */
  open?(page: Page): Promise<void>;
}
export const PAGE_VIEWS: readonly PageView[];
export const SAMPLE_DRAFT: string;
