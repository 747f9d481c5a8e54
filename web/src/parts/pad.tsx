// Buttons under a thumb: a pad to walk with and the world's other keys, for games with a clock and for touch.
import type { Controls, PressDone } from "../protocol";
import { type Direction, walkingKeys } from "../space/choices";
import { spoken } from "../words";
import { Sign } from "./sign";

interface PadProps {
  controls: Controls;
  body: string;
  /** The verbs of what can be done now; `null` where that is not known. */
  verbs: ReadonlySet<string> | null;
  /** Keys can be held down. */
  holds: boolean;
  press: (press: PressDone) => void;
}

const WAYS: readonly Direction[] = ["up", "left", "right", "down"];

export function Pad({ controls, body, verbs, holds, press }: PadProps) {
  const walking = walkingKeys(controls);
  const steps = new Set(walking ? Object.values(walking) : []);
  const keys = [...new Set(controls.keyboard_actions.map((action) => action.input_instructions.key))].filter((key) => !steps.has(key));
  const named = (key: string): string[] =>
    [...new Set(controls.keyboard_actions.filter((action) => action.input_instructions.key === key).map((action) => action.name))]
      .filter((name) => !verbs || verbs.has(name));
  const about = body ? { body } : {};
  const held = (key: string) =>
    holds
      ? {
          onClick: (event: MouseEvent) => event.detail === 0 && press({ key, ...about }), // by keyboard or by voice
          onPointerDown: (event: PointerEvent) => {
            (event.currentTarget as Element).setPointerCapture(event.pointerId);
            press({ key, hold: "start", ...about });
          },
          onPointerUp: () => press({ key, hold: "end", ...about }),
          onPointerCancel: () => press({ key, hold: "end", ...about }),
          onContextMenu: (event: Event) => event.preventDefault(),
        }
      : { onClick: () => press({ key, ...about }) };
  return (
    <div class="pad" role="group" aria-label="Keys to touch">
      {walking && (
        <div class="cross">
          {WAYS.map((way) => (
            <button key={way} type="button" class={way} aria-label={`walk ${way}`} {...held(walking[way])}><Sign of={way} /></button>
          ))}
        </div>
      )}
      <div class="keys">
        {keys.map((key) => (
          <button key={key} type="button" disabled={!holds && !named(key).length} onClick={() => press({ key, ...about })}>
            <kbd>{key}</kbd> <span>{named(key).slice(0, 2).map(spoken).join(", ")}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
