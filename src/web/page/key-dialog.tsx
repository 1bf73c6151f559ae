import { useEffect, useRef, useState } from "preact/hooks";
import { Outward } from "./reading/small-print.js";
import { asked, forgetKeys, type KeyName, keys, remember } from "./server/keys.js";

const ABOUT: Record<KeyName, { title: string; label: string; where: preact.ComponentChild }> = {
  readwise: {
    title: "The server needs your Readwise key",
    label: "Readwise key",
    where: <Outward url="https://readwise.io/access_token">Get it at readwise.io/access_token</Outward>,
  },
  token: {
    title: "The server needs its token",
    label: "Server token",
    where: "Whoever runs the server set it as BOOKWHEEL_TOKEN.",
  },
};

/** Appears only when the server answered that it needs a key. */
export function KeyDialog() {
  const wanted = asked.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState("");
  useEffect(() => {
    if (wanted && !dialog.current?.open) dialog.current?.showModal();
    if (!wanted) dialog.current?.close();
  }, [wanted]);
  const about = ABOUT[wanted?.name ?? "readwise"];
  return (
    <dialog ref={dialog} aria-labelledby="key-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted && value.trim()) remember(wanted.name, value.trim());
          setValue("");
        }}
      >
        <h2 id="key-title">{about.title}</h2>
        <p>
          <bdi>{wanted?.message}</bdi>
        </p>
        <label for="key">{about.label}</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p class="small-print">{about.where}</p>
        <p class="small-print">
          It is kept in this tab’s session storage, sent with each call to this server and nowhere else, and gone when
          you close the tab. The server does not store it.
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

/** Says which keys this tab holds, and lets go of them. */
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
