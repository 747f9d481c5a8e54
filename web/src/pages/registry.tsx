// Where other parts of the program put pages of their own: by the first word of the address.
import type { ComponentType } from "preact";

export type PageComponent = ComponentType<{ token: string }>;

const PAGES = new Map<string, PageComponent>();

/** From now on this page stands at `/word` and below it. */
export const register = (word: string, page: PageComponent): void => void PAGES.set(word, page);

export const pageAt = (path: string): PageComponent | undefined => PAGES.get(path.split("/")[1] ?? "");
