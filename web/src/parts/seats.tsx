// Who plays: their names, whether they are there, and who is thinking.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeatTold } from "../protocol";
import { hueClass, useHues } from "../scene/hues";

const KINDS: Readonly<Record<SeatTold["kind"], string>> = { person: "person", agent: "agent", model: "model" };

export function seatState(seat: SeatTold, waiting = false, mine = false): string {
  if (seat.trouble) return seat.trouble;
  if (seat.stands_in) return `away; ${seat.stands_in} stands in`;
  if (!seat.present) return waiting ? "not here yet" : "away";
  if (seat.thinking_seconds !== null && mine) return "to move";
  if (seat.thinking_seconds !== null) return seat.thinking_seconds >= 2 ? `thinks for ${Math.round(seat.thinking_seconds)} s` : "thinks";
  return "";
}

/** The seats, whose seconds of thinking go on between two messages of the server. */
function useThinking(seats: readonly SeatTold[]): readonly SeatTold[] {
  const told = useRef({ seats, at: 0 });
  const [now, setNow] = useState(0);
  if (told.current.seats !== seats || !told.current.at) told.current = { seats, at: performance.now() };
  const thinks = seats.some((seat) => seat.thinking_seconds !== null);
  useEffect(() => {
    if (!thinks) return;
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, [thinks]);
  const since = Math.max(0, now - told.current.at) / 1000;
  return seats.map((seat) => (seat.thinking_seconds === null ? seat : { ...seat, thinking_seconds: seat.thinking_seconds + since }));
}

export function Seats({ seats: told, own, waiting = false }: { seats: readonly SeatTold[]; own: string; waiting?: boolean }) {
  const seats = useThinking(told);
  const hues = useHues();
  return (
    <ul class="seats" aria-label="Who plays">
      {seats.map((seat) => {
        const state = seatState(seat, waiting, seat.seat === own);
        const look = seat.trouble ? "trouble" : !seat.present || seat.stands_in ? "away" : seat.thinking_seconds !== null ? "thinking" : "there";
        return (
          <li key={seat.seat} class={`${look}${hueClass(hues.get(seat.seat))}`} title={`${seat.seat}: ${seat.player || KINDS[seat.kind]}${state ? `, ${state}` : ""}`}>
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
