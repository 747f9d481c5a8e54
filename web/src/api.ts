// The server's pages of data: what may be played, a game that is opened, records.
import type { Again, BoardTold, Frame, GamePlan, GameTold, Ghost, LessonTold, OffersTold, Opened, OpenedAgain, Pick, ScenarioTold } from "./protocol";

export type { BoardTold } from "./protocol";
export type { GameTold, Named, OffersTold, Pick, ScenarioTold, SuiteTold, WorldTold } from "./protocol";

/** The agent that says what persons say in the chat of a server. */
export const CHAT = "chat";

/** Why the server did not do it, in its words. */
export class Refused extends Error {}

/** A game is not opened before somebody agrees to what it changes at a place. */
export class Unconfirmed extends Refused {
  constructor(why: string, readonly place: string, readonly changes: readonly string[]) {
    super(why);
  }
}

const OWNER = "backburner-owner";

/** The token with which games are opened, where the server asks for one: it comes in the address that the
 * server prints, behind a `#`, and is kept for this tab alone. */
export function owner(found = ""): string {
  try {
    if (found) sessionStorage.setItem(OWNER, found);
    return found || (sessionStorage.getItem(OWNER) ?? "");
  } catch {
    return found;
  }
}

async function asked<T>(path: string, options: RequestInit = {}): Promise<T> {
  const token = owner();
  if (token) options = { ...options, headers: { Authorization: `Bearer ${token}`, ...options.headers } };
  const response = await fetch(path, { ...options, credentials: "same-origin", cache: "no-store" }).catch(() => {
    throw new Refused("The server does not answer. Is it still running?");
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const why = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "";
  if (response.status === 409) throw unconfirmed(why, body as { place?: unknown; changes?: unknown });
  throw new Refused(why || `The server says ${response.status} ${response.statusText}`);
}

function unconfirmed(why: string, { place, changes }: { place?: unknown; changes?: unknown }): Unconfirmed {
  return new Unconfirmed(why, String(place ?? ""), Array.isArray(changes) ? changes.map(String) : []);
}

export const offers = (): Promise<OffersTold> => asked("/api/offers");
export const games = (): Promise<GameTold[]> => asked("/api/games");
export const scenarios = (suite: string): Promise<Pick[]> => asked(`/api/scenarios?suite=${encodeURIComponent(suite)}`);
export const scenario = (id: string): Promise<ScenarioTold> => asked(`/api/scenario?id=${encodeURIComponent(id)}`);

export const openGame = (plan: GamePlan): Promise<Opened> =>
  asked("/api/games", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(plan) });

/** The lesson of a game that is over, for the bearer of this token. */
export async function lessonOf(token: string): Promise<LessonTold> {
  return asked("/api/lesson", { headers: { Authorization: `Bearer ${token}` } });
}

/** A game after one that is over: from a step of it on, or of another scenario. */
export async function playAgain(token: string, wanted: Again): Promise<OpenedAgain> {
  return asked("/api/again", { method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` }, body: JSON.stringify(wanted) });
}

/** How others have played what is being played. */
export async function ghostsOf(token: string): Promise<Ghost[]> {
  return asked("/api/ghosts", { headers: { Authorization: `Bearer ${token}` } });
}

export const board = (id: string): Promise<BoardTold> => asked(`/api/board${id ? `?id=${encodeURIComponent(id)}` : ""}`);

/** The frames of a game that is over, as the bearer of this token saw them. */
export async function framesOf(token: string): Promise<Frame[]> {
  return asked("/api/frames", { headers: { Authorization: `Bearer ${token}` } });
}

/** Saves the record of a game where the browser saves files. */
export async function download(token: string, name: string): Promise<void> {
  const response = await fetch("/api/record", { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" });
  if (!response.ok) throw new Refused(`The server says ${response.status} ${response.statusText}`);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.jsonl`;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
