/** The same record on the wire: what is not known is not there. */
export type WithoutNulls<T> = {
  [K in keyof T as null extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>;
};

/** An answer says what it knows; a null costs a reader as much as a value. */
export function withoutNulls<T extends object>(record: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>;
}
