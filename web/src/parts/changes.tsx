// What a game changes elsewhere, for whoever opens it to agree to before anything is changed.
import type { Unconfirmed } from "../api";
import { amount } from "../words";

interface ChangesProps {
  unconfirmed: Unconfirmed;
  busy: boolean;
  onAgree: () => void;
  onCancel: () => void;
}

export function Changes({ unconfirmed: { place, changes }, busy, onAgree, onCancel }: ChangesProps) {
  return (
    <section class="card changes" role="alertdialog" aria-labelledby="changes-title">
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
