// What this browser keeps between pages: the links of games that were opened here, and one's name.
import type { GamePlan, Opened, Turn } from "./protocol";

/** What was asked last at a seat, for the page that is loaded again while others are asked; `null`: nothing is kept. */
export function lastTurn(place: string): Turn | null {
  try {
    return JSON.parse(sessionStorage.getItem(TURN) ?? "{}")[place] ?? null;
  } catch {
    return null;
  }
}

export function keepTurn(place: string, turn: Turn): void {
  try {
    sessionStorage.setItem(TURN, JSON.stringify({ [place]: turn }));
  } catch {
    // it comes with the next turn
  }
}

export interface KeptGame {
  opened: Opened;
  plan: GamePlan;
  title: string;
  /** When, in milliseconds since 1970. */
  at: number;
  /** The seat that is one's own; empty if none is. */
  seat: string;
}

const GAMES = "backburner-games";
const TURN = "backburner-turn";
const NAME = "backburner-name";
const MOST_KEPT = 50;

function get(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function set(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // kept nowhere; the links are on the page
  }
}

export function keptGames(): KeptGame[] {
  try {
    const read: unknown = JSON.parse(get(GAMES) ?? "[]");
    return Array.isArray(read) ? (read as KeptGame[]).filter((game) => typeof game?.opened?.host === "string") : [];
  } catch {
    return [];
  }
}

export const keep = (game: KeptGame): void =>
  set(GAMES, JSON.stringify([game, ...keptGames().filter((one) => one.opened.game !== game.opened.game)].slice(0, MOST_KEPT)));

export const forget = (id: string): void => set(GAMES, JSON.stringify(keptGames().filter((game) => game.opened.game !== id)));

/** The game that a token opens, if it was opened in this browser. */
export const gameOf = (token: string): KeptGame | undefined =>
  keptGames().find(({ opened }) => [opened.host, opened.watch, ...Object.values(opened.seats)].includes(token));

export const keptName = (): string => get(NAME) ?? "";
export const keepName = (name: string): void => set(NAME, name);

export const keepTheme = (theme: "dark" | "light"): void => set("backburner-theme", theme);

/** How loud sounds are, from 0 to 1; 0 until somebody has asked for them. */
export const keptVolume = (): number => Math.min(1, Math.max(0, Number(get("backburner-volume") ?? 0) || 0));
export const keepVolume = (volume: number): void => set("backburner-volume", String(volume));
const LEARNED = "backburner-learned";

/** Whether somebody has been through a tutorial here, or has skipped it. */
export const knows = (id: string): boolean => (get(LEARNED) ?? "").split("\n").includes(id);
export const learn = (id: string): void => {
  if (!knows(id)) set(LEARNED, [...(get(LEARNED) ?? "").split("\n").filter(Boolean), id].slice(-MOST_KEPT).join("\n"));
};
