import { pointId } from "./point-ids.js";

/** The collections of a project's points, and the key that selects them. */
export interface Place {
  chunks: string;
  /** Holds documents and the vocabulary. */
  side: string;
  /** Part of every payload and filter; never used twice, not even for a new project of the same name. */
  tenant: string;
  /** Whether other projects share the collections; older versions gave each project two of its own. */
  shared: boolean;
}

export const idIn = ({ shared, tenant }: Place, name: string): string => pointId(shared ? `${tenant}/${name}` : name);
