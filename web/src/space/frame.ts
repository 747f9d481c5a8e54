// The view's part of the page: the canvas, its buttons, and a line for what has to be said.
import type { Mode } from "./headset";

export const NO_PICTURE =
  "This browser draws nothing in three dimensions (WebGL 2 is missing or switched off). The drawn kitchen has everything.";

const HELP =
  "Drag to turn, wheel or two fingers to come nearer; click a place for its moves. Keys: Page Up and Page Down choose " +
  "a place, Enter opens it, arrows turn (walk in a game with a clock; turn with Shift), + and − come nearer, Home shows all.";

const SESSIONS: Readonly<Record<Mode, string>> = {
  "immersive-vr": "enter the headset",
  "immersive-ar": "put it on your own table",
};

/** A button's sign: drawn, as not every machine has a font with such characters. */
function drawn(strokes: string): SVGElement {
  const of = (name: string, attributes: Record<string, string>): SVGElement => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const lines = { fill: "none", stroke: "currentColor", "stroke-width": "1.6", "stroke-linejoin": "round", "stroke-linecap": "round" };
  const sign = of("svg", { width: "16", height: "16", viewBox: "0 0 16 16", "aria-hidden": "true" });
  sign.append(of("path", { d: strokes, ...lines }));
  return sign;
}

function helpOf(): HTMLElement {
  const help = document.createElement("details");
  help.className = "space-help";
  const [title, words] = [document.createElement("summary"), document.createElement("p")];
  [title.textContent, words.textContent] = ["how to look around and to choose", HELP];
  help.append(title, words);
  return help;
}

export class Frame {
  readonly canvas = document.createElement("canvas");
  private readonly root = document.createElement("div");
  private readonly bar = document.createElement("div");
  private readonly starts = document.createElement("span");
  private readonly note = document.createElement("p");
  private readonly observer: ResizeObserver;
  private resized: (width: number, height: number) => void = () => {};

  constructor(container: HTMLElement) {
    this.root.className = "space";
    this.canvas.className = "space-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `The kitchen in three dimensions. The same moves stand beside it as buttons. ${HELP}`);
    this.bar.className = "space-bar";
    this.note.className = "space-note";
    this.note.setAttribute("role", "status");
    this.bar.append(this.starts);
    this.root.append(this.canvas, this.bar, this.note, helpOf());
    container.append(this.root);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.canvas);
    this.canvas.addEventListener("webglcontextlost", () => this.say("The picture was lost; it comes back by itself."));
    this.canvas.addEventListener("webglcontextrestored", () => this.say(""));
  }

  sized(resized: (width: number, height: number) => void): void {
    this.resized = resized;
    this.measure();
  }

  measure(): void {
    this.resized(this.canvas.clientWidth, this.canvas.clientHeight);
  }

  /** (name, sign, what it does) of each. */
  buttons(buttons: readonly (readonly [string, string, () => void])[]): void {
    for (const [name, strokes, does] of buttons) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(drawn(strokes));
      button.title = name;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", does);
      this.bar.append(button);
    }
  }

  sessions(modes: readonly Mode[], begin: (mode: Mode) => Promise<void>): void {
    this.starts.replaceChildren(
      ...modes.map((mode) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.mode = mode;
        button.textContent = SESSIONS[mode];
        button.addEventListener("click", () => void begin(mode));
        return button;
      }),
    );
  }

  inSession(mode: Mode | null): void {
    for (const button of this.starts.querySelectorAll("button")) {
      button.textContent = button.dataset.mode === mode ? "leave the headset" : SESSIONS[button.dataset.mode as Mode];
    }
    this.root.classList.toggle("space-in-session", mode !== null);
    this.say("");
  }

  /** What somebody points at, for scripts that drive the view. */
  pointed(name: string): void {
    if (this.canvas.dataset.pointed !== name) this.canvas.dataset.pointed = name;
  }

  say(words: string): void {
    this.note.textContent = words;
  }

  close(): void {
    this.observer.disconnect();
    this.root.remove();
  }
}
