// What the page of a game offers beside the game: all of it, but in a study, whose file says what, and which logs the rest.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Change } from "./study/protocol";

export type Offer = Change["what"];

export interface Offers {
  has: (what: Offer) => boolean;
  /** Somebody has switched it. */
  switched: (what: Offer, on: boolean) => void;
}

const Offered = createContext<Offers>({ has: () => true, switched: () => undefined });

export const OffersOf = Offered.Provider;
export const useOffers = (): Offers => useContext(Offered);
