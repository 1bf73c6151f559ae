import { useEffect, useRef, useState } from "preact/hooks";
import { forgetKeys, keys, remember, tokenWanted } from "./server/keys.js";

/** Shown only after the server has asked for its token: without it the page can show nothing. */
export function TokenDialog() {
  const wanted = tokenWanted.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState("");
  useEffect(() => {
    if (wanted && !dialog.current?.open) dialog.current?.showModal();
    if (!wanted) dialog.current?.close();
  }, [wanted]);
  return (
    <dialog ref={dialog} aria-labelledby="key-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted && value.trim()) remember("token", value.trim());
          setValue("");
        }}
      >
        <h2 id="key-title">The server needs its token</h2>
        <p>
          <bdi>{wanted}</bdi>
        </p>
        <label for="key">Server token</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p class="small-print">
          The person who runs the server set it as BOOKWHEEL_TOKEN. It stays in this tab, goes with each call to this
          server and nowhere else, and is gone when you close the tab.
        </p>
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Not now
          </button>
          <button type="submit" class="primary" disabled={!value.trim()}>
            Use it
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Lists the keys this tab holds, and forgets them on request. */
export function KeyNote() {
  const held = [keys.value.readwise && "a Readwise key", keys.value.token && "the server’s token"].filter(Boolean);
  if (held.length === 0) return null;
  return (
    <p>
      This tab holds {held.join(" and ")} in its session storage.{" "}
      <button type="button" onClick={forgetKeys}>
        Forget {held.length > 1 ? "them" : "it"}
      </button>
    </p>
  );
}
