// A window over the page; the browser keeps the focus in it and gives it back.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Sign } from "./sign";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={element} aria-label={title} onClose={onClose}
      onClick={(event) => event.target === element.current && element.current?.close()}
    >
      <div class="sheet">
        <div class="sheet-top">
          <h2>{title}</h2>
          <button type="button" class="quiet" onClick={() => element.current?.close()} aria-label="Close"><Sign of="close" /></button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** A text of the server as it is: lines stay lines, and it is never anything but text. */
export function Plain({ text }: { text: string }) {
  return <div class="plain-text">{text}</div>;
}
