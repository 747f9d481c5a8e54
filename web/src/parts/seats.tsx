// Who plays: their names, whether they are there, and who is thinking.
import type { SeatTold } from "../protocol";

const KINDS: Readonly<Record<SeatTold["kind"], string>> = { person: "person", agent: "agent", model: "model" };

export function seatState(seat: SeatTold, waiting = false, mine = false): string {
  if (seat.trouble) return seat.trouble;
  if (seat.stands_in) return `away; ${seat.stands_in} stands in`;
  if (!seat.present) return waiting ? "not here yet" : "away";
  if (seat.thinking_seconds !== null && mine) return "to move";
  if (seat.thinking_seconds !== null) return seat.thinking_seconds >= 2 ? `thinks for ${Math.round(seat.thinking_seconds)} s` : "thinks";
  return "";
}

export function Seats({ seats, own, waiting = false }: { seats: readonly SeatTold[]; own: string; waiting?: boolean }) {
  return (
    <ul class="seats" aria-label="Who plays">
      {seats.map((seat) => {
        const state = seatState(seat, waiting, seat.seat === own);
        const look = seat.trouble ? "trouble" : !seat.present || seat.stands_in ? "away" : seat.thinking_seconds !== null ? "thinking" : "there";
        return (
          <li key={seat.seat} class={look} title={`${seat.seat}: ${seat.player || KINDS[seat.kind]}${state ? `, ${state}` : ""}`}>
            <i aria-hidden="true" />
            <b>{seat.seat}</b>
            <span>{seat.seat === own ? "you" : seat.player || KINDS[seat.kind]}</span>
            {state && <span class="soft">{state}</span>}
          </li>
        );
      })}
    </ul>
  );
}
