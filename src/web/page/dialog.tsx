import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** For a dialog that is open as long as it is rendered. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return dialog;
}

interface FormDialogProps {
  title: ComponentChildren;
  children: ComponentChildren;
  /** The label of the button that submits. */
  action: string;
  disabled?: boolean;
  onSubmit(close: () => void): void;
  onClose(): void;
}

/** A question with Cancel and one action. */
export function FormDialog({ title, children, action, disabled = false, onSubmit, onClose }: FormDialogProps) {
  const dialog = useModal();
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(close);
        }}
      >
        <h2 id="dialog-title" dir="auto">
          {title}
        </h2>
        {children}
        <div class="row end">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={disabled}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
