// Pointing at what is in a scene: by mouse, finger or keyboard; and what every drawing of a scene measures and keeps.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { nextTo } from "./layout";

export interface Pointed {
  kind: "place" | "body";
  name: string;
  /** Where it is in the picture, in pixels. */
  x: number;
  y: number;
  height: number;
  /** All that can be done there is asked for. */
  full?: boolean;
}

/** Something that can be pointed at, and where it is in the picture. */
export interface Point {
  key: string;
  x: number;
  y: number;
}

const LONG_MS = 500;

const ARROWS: Readonly<Record<string, [number, number]>> = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
};

/** `move`: what arrow keys do, from point to point. `pick`: what makes an element one that can be pointed at; `which`
 * says that a click meant another one. One of all `points` is reached with the tab key. */
export function usePicking(
  holder: { current: HTMLElement | null }, points: readonly Point[], walks: boolean, onPick: ((at: Pointed) => void) | undefined,
) {
  const [at, setAt] = useState("");
  const current = points.some((point) => point.key === at) ? at : (points[0]?.key ?? "");
  const elementOf = (key: string): Element | null => holder.current?.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? null;

  const move = (event: KeyboardEvent): void => {
    const way = ARROWS[event.key];
    if (!way || walks || !onPick || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const from = points.findIndex((point) => point.key === current);
    const next = points[nextTo(points.map((point) => [point.x, point.y]), from, ...way)];
    if (!next) return;
    setAt(next.key);
    (elementOf(next.key) as SVGElement | null)?.focus();
  };
  const held = useRef(0);
  const told = (kind: Pointed["kind"], name: string, element: Element, full = false): void => {
    const small = element.querySelector(".hit");
    const [here, all] = [(small ?? element).getBoundingClientRect(), holder.current!.getBoundingClientRect()];
    // What opens there covers the lower part of what is large, and leaves a small mark in sight.
    const height = small ? here.height * 1.8 : here.height;
    onPick?.({ kind, name, x: here.left - all.left + here.width / 2, y: here.top - all.top, height, full });
  };
  const pick = (kind: Pointed["kind"], name: string, which?: (event: MouseEvent) => string | undefined) => {
    if (!onPick) return {};
    const key = `${kind} ${name}`;
    const go = (element: Element, full = false): void => {
      setAt(key);
      told(kind, name, element, full);
    };
    return {
      role: "button" as const,
      tabindex: key === current ? 0 : -1, // in SVG names of attributes are as they are written
      // A right click, the menu key, a finger that stays: all that can be done.
      onContextMenu: (event: MouseEvent) => {
        event.preventDefault();
        go(event.currentTarget as Element, true);
      },
      onTouchStart: (event: TouchEvent) => {
        const element = event.currentTarget as Element;
        held.current = window.setTimeout(() => {
          held.current = 0;
          go(element, true);
        }, LONG_MS);
      },
      onTouchMove: () => clearTimeout(held.current),
      onTouchEnd: (event: TouchEvent) => {
        if (!held.current) event.preventDefault(); // it is no click any more
        clearTimeout(held.current);
      },
      onClick: (event: MouseEvent) => {
        const meant = which?.(event);
        const element = meant === undefined || meant === key ? null : elementOf(meant);
        if (!element) return go(event.currentTarget as Element);
        setAt(meant!);
        const space = meant!.indexOf(" ");
        told(meant!.slice(0, space) as Pointed["kind"], meant!.slice(space + 1), element);
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        go(event.currentTarget as Element);
      },
    };
  };
  return { move, pick, told };
}

// --- measures -----------------------------------------------------------------------------------------

/** The width of an element, whenever it changes. */
export function useWidth(holder: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [holder]);
  return width;
}
