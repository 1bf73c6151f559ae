/** Runs once and keeps the result; a failure is not kept, and the next call tries again. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/** A function that runs once per key and keeps each result. */
export function oncePerKey<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, T>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as T;
  };
}

/** Properties that are made when they are first read, each once. */
export function lazyParts<Parts extends Record<string, unknown>>(make: { [Name in keyof Parts]: () => Parts[Name] }) {
  const made: Partial<Parts> = {};
  const get = <Name extends keyof Parts>(name: Name) => {
    made[name] ??= make[name]();
    return made[name];
  };
  const properties = Object.keys(make).map((name) => [name, { get: () => get(name), enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Readonly<Parts>;
}

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
