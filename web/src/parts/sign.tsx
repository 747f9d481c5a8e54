// Small pictures on buttons. They are drawn here, as not every machine has a font with such characters.
const STROKES = {
  beginning: "M3 3v10M13 3L6 8l7 5z",
  back: "M11 3L4 8l7 5z",
  pause: "M5 3v10M11 3v10",
  play: "M5 3l8 5l-8 5z",
  on: "M5 3l7 5l-7 5z",
  close: "M4 4l8 8M12 4l-8 8",
  up: "M3 11l5-7l5 7z",
  left: "M11 3L4 8l7 5z",
  right: "M5 3l7 5l-7 5z",
  down: "M3 5l5 7l5-7z",
  moon: "M9 2a6 6 0 1 0 5 9a5 5 0 0 1-5-9z",
  sun: "M8 5.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5zM8 1v1M8 14v1M1 8h1M14 8h1M3 3l.8.8M12.2 12.2l.8.8M13 3l-.8.8M3.8 12.2l-.8.8",
  loud: "M2 6h3l4-3.5v11L5 10H2zM11.5 5.5q2 2.5 0 5M13.5 3.5q3.5 4.5 0 9",
  silent: "M2 6h3l4-3.5v11L5 10H2zM11.5 6l3 4M14.5 6l-3 4",
} as const;

export function Sign({ of }: { of: keyof typeof STROKES }) {
  return <svg class="sign-of-button" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d={STROKES[of]} /></svg>;
}
