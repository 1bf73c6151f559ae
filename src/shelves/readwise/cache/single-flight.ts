import { orAborted } from "../../../kernel/or-aborted.js";

export type Flights = ReturnType<typeof createFlights>;

interface Flight {
  result: Promise<unknown>;
  waiting: number;
  controller: AbortController;
}

/** Work that several callers wait for together: one in-flight request per key, aborted when the last caller leaves. */
export function createFlights(onShared: () => void) {
  const flights = new Map<string, Flight>();

  return {
    async share<T>(name: string, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      let flight = flights.get(name);
      if (flight) onShared();
      else {
        const controller = new AbortController();
        const started: Flight = { result: run(controller.signal), waiting: 0, controller };
        flight = started;
        flights.set(name, flight);
        const land = () => {
          if (flights.get(name) === started) flights.delete(name);
        };
        flight.result.then(land, land);
      }
      const joined = flight;
      joined.waiting++;
      try {
        // A name is only ever used for one kind of result.
        return await (orAborted(joined.result, signal) as Promise<T>);
      } finally {
        if (--joined.waiting === 0) {
          if (flights.get(name) === joined) flights.delete(name);
          joined.controller.abort(new DOMException("nobody waits for it any more", "AbortError"));
        }
      }
    },
  };
}
