// What a game changes elsewhere, for whoever opens it to agree to before anything is changed.
import { useEffect, useRef } from "preact/hooks";
import type { Unconfirmed } from "../api";
import { amount } from "../words";

interface ChangesProps {
  unconfirmed: Unconfirmed;
  busy: boolean;
  onAgree: () => void;
  onCancel: () => void;
}

export function Changes({ unconfirmed: { place, changes }, busy, onAgree, onCancel }: ChangesProps) {
  const section = useRef<HTMLElement>(null);
  // It comes at the end of a long form, out of sight, while nothing has the focus.
  useEffect(() => {
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section class="card changes" role="alertdialog" aria-labelledby="changes-title" tabIndex={-1} ref={section}>
      <h3 id="changes-title">{`${amount(changes.length, "change")} on ${place}`}</h3>
      <p>Bots build this there now, and put all of it back when the game is over.</p>
      <ul class="small">{changes.map((change, at) => <li key={at}>{change}</li>)}</ul>
      <p class="row">
        <button type="button" class="main" disabled={busy} onClick={onAgree}>{busy ? "Building …" : "Make these changes"}</button>
        <button type="button" disabled={busy} onClick={onCancel}>Do not play</button>
      </p>
    </section>
  );
}
