// What keys do while the view has the focus. What is not here is left to the page, such as the world's own keys.

export interface Doing {
  readonly open: boolean;
  readonly walks: boolean;
  row(by: number): void;
  take(): void;
  shut(): void;
  next(by: number): void;
  enter(): void;
  turn(right: number, up: number): void;
  approach(steps: number): void;
  reset(): void;
  lean(x: number, y: number): void;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** What a key does; `null` if it is not for the view. */
export function keysOf(event: Pick<KeyboardEvent, "key" | "type" | "repeat" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">, does: Doing): (() => void) | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const arrow = ARROWS[event.key];
  if (does.open) {
    if (arrow) return () => does.row(arrow[1] || arrow[0]);
    if (event.key === "Enter" || event.key === " ") return () => does.take();
    return event.key === "Escape" ? () => does.shut() : null;
  }
  if (arrow && does.walks && !event.shiftKey) {
    if (event.type === "keyup") does.lean(0, 0);
    return event.repeat ? () => {} : () => does.lean(arrow[0], arrow[1]);
  }
  if (arrow) return () => does.turn(arrow[0], -arrow[1]);
  switch (event.key) {
    case "+":
    case "=":
      return () => does.approach(1);
    case "-":
      return () => does.approach(-1);
    case "Home":
      return () => does.reset();
    case "PageDown":
      return () => does.next(1);
    case "PageUp":
      return () => does.next(-1);
    case "Enter":
      return () => does.enter();
    default:
      return null;
  }
}
