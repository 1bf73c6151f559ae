import { pointId } from "./point-ids.js";

/** Where a project's points are, and what sets them apart from those of others. */
export interface Place {
  chunks: string;
  /** For documents and the vocabulary. */
  side: string;
  /** Stands in every payload and every filter; another one for every project that was ever made. */
  tenant: string;
  /** Whether other projects have points in the same collections; older versions gave each project two of its own. */
  shared: boolean;
}

export const idIn = ({ shared, tenant }: Place, name: string): string => pointId(shared ? `${tenant}/${name}` : name);
