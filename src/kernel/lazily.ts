import { once } from "./once.js";

type Asynchronous<T> = { [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/**
 * An object of asynchronous methods that is made when the first of them is called, so that a start does not load what
 * most sessions never use. A failed attempt is not kept: the next call tries again.
 */
export function lazily<T extends Asynchronous<T>>(make: () => Promise<T>): T {
  const get = once(make);
  const call = (name: PropertyKey) =>
    // A promise that resolves to this object looks for `then`.
    name === "then" ? undefined : async (...args: never[]) => (await get())[name as keyof T](...args);
  return new Proxy({} as T, { get: (_, name) => call(name) });
}
