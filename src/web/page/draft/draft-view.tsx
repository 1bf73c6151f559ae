import { useRef, useState } from "preact/hooks";
import { Problem } from "../reading/states.js";
import { PlaceChoice } from "../views/place-choice.js";
import { CheckedDraft } from "./checked-draft.js";
import { changeDraft, checkDraft, draft, stopChecking } from "./draft-state.js";

const LONGEST = 500_000;

/** A draft checked against the reading. Not an editor: the text is copied back to the program it was written in. */
export function DraftView() {
  const { checked, checking, error } = draft.value;
  return (
    <div class={checked ? "view wide" : "view narrow"}>
      <h1>Check a draft</h1>
      {checked ? <CheckedDraft key={checked.text} /> : <DraftForm />}
      <div aria-live="polite">
        {checking && !checked && (
          <p class="row">
            <span class="spinner" aria-hidden="true" /> Looking up every quotation and citation …
            <button type="button" class="quiet" onClick={stopChecking}>
              Stop
            </button>
          </p>
        )}
        {error && <Problem error={error} retry={() => void checkDraft()} />}
      </div>
    </div>
  );
}

/** The text of a file; undefined if it is neither text nor a Word file. */
async function textIn(file: File): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const { docxText } = await import("./docx-text.js");
    try {
      return docxText(bytes);
    } catch {
      return undefined; // another kind of archive, or a broken one
    }
  }
  return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
}

function DraftForm() {
  const { text, project, checking } = draft.value;
  const picker = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();

  async function read(file: File | undefined) {
    if (!file) return;
    const content = await textIn(file);
    if (content === undefined)
      return setProblem(`${file.name} is no text. Markdown, LaTeX, plain text and Word files (.docx) can be checked.`);
    setProblem(undefined);
    changeDraft({ name: file.name, text: content });
  }

  return (
    <form
      class="quote-form"
      onSubmit={(event) => {
        event.preventDefault();
        void checkDraft();
      }}
    >
      <p>
        Every quotation is compared with what you have read, every citation with your bibliography. Nothing is changed
        without you.
      </p>
      <label>
        Your draft: Markdown, LaTeX, plain text or a Word file
        <textarea
          name="draft"
          rows={14}
          class="draft-input"
          value={text}
          placeholder={"As Quill puts it, “the second reading is a measurement” [@quill2026rereading, p. 3]."}
          onInput={({ currentTarget }) => changeDraft({ text: currentTarget.value })}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const file = event.dataTransfer?.files[0];
            if (!file) return;
            event.preventDefault();
            event.stopPropagation();
            void read(file);
          }}
        />
      </label>
      {problem && <p class="field-problem">{problem}</p>}
      {text.length > LONGEST && (
        <p class="field-problem">
          This is too long to check at once: {text.length.toLocaleString()} characters, and at most{" "}
          {LONGEST.toLocaleString()} are possible. Check it chapter by chapter.
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={checking || !text.trim() || text.length > LONGEST}>
          {checking ? "Checking …" : "Check"}
        </button>
        <button type="button" onClick={() => picker.current?.click()}>
          Open a file
        </button>
        <input
          ref={picker}
          type="file"
          class="sr-only"
          tabIndex={-1}
          aria-label="Open a draft"
          accept=".md,.markdown,.tex,.txt,.qmd,.rmd,.docx,text/*"
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
        <PlaceChoice label="against" value={project} onChange={(id) => changeDraft({ project: id })} />
      </div>
    </form>
  );
}
