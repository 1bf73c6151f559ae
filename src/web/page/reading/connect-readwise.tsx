import { useId, useState } from "preact/hooks";
import { keys, remember } from "../server/keys.js";
import { Outward } from "./small-print.js";

/** A card in place of content that needs the user's Readwise key; everything else stays usable. */
export function ConnectReadwise({ message }: { message?: string }) {
  const [value, setValue] = useState("");
  const id = useId();
  const refused = keys.value.readwise !== undefined;
  return (
    <section class="card connect" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{refused ? "Readwise does not accept this key" : "Connect Readwise"}</h2>
      <p>
        {refused
          ? "Check the key, or get a new one."
          : "Your highlights and Reader documents appear here once Bookwheel has your Readwise key. Notebooks and projects need none."}
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim()) remember("readwise", value.trim());
          setValue("");
        }}
      >
        <label class="sr-only" for={id}>
          Readwise key
        </label>
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="Readwise key"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={!value.trim()}>
          Connect
        </button>
      </form>
      <p class="small-print">
        <Outward url="https://readwise.io/access_token">Get it at readwise.io/access_token</Outward>. It stays in this
        tab, goes with each call to this server and nowhere else, and is gone when you close the tab.
      </p>
      {message && (
        <details>
          <summary>Details</summary>
          <p>
            <bdi>{message}</bdi>
          </p>
        </details>
      )}
    </section>
  );
}
