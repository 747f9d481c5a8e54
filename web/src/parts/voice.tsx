// Speaking in place of typing, where the browser itself has speech input; nothing is sent anywhere by us.
import { useEffect, useRef, useState } from "preact/hooks";

interface Heard {
  results: ArrayLike<ArrayLike<{ transcript: string }>>;
}

interface Recognition {
  lang: string;
  interimResults: boolean;
  onresult: ((event: Heard) => void) | null;
  onend: (() => void) | null;
  onerror: (() => void) | null;
  start(): void;
  stop(): void;
}

type Recogniser = new () => Recognition;

const found = (): Recogniser | undefined => {
  const here = globalThis as unknown as { SpeechRecognition?: Recogniser; webkitSpeechRecognition?: Recogniser };
  return here.SpeechRecognition ?? here.webkitSpeechRecognition;
};

/** A button that writes down what is said; none where the browser cannot. */
export function Voice({ onWords }: { onWords: (words: string) => void }) {
  const [listens, setListens] = useState(false);
  const running = useRef<Recognition | null>(null);
  useEffect(() => () => running.current?.stop(), []);
  const Recogniser = found();
  if (!Recogniser) return null;
  const toggle = (): void => {
    if (running.current) {
      running.current.stop();
      return;
    }
    const recognition = new Recogniser();
    recognition.lang = navigator.language;
    recognition.interimResults = false;
    recognition.onresult = (event) => {
      onWords(Array.from(event.results, (result) => result[0]?.transcript ?? "").join(" ").trim());
    };
    recognition.onend = recognition.onerror = () => {
      running.current = null;
      setListens(false);
    };
    running.current = recognition;
    setListens(true);
    recognition.start();
  };
  return (
    <button type="button" class={listens ? "voice on" : "voice"} aria-pressed={listens} onClick={toggle} aria-label="Speak instead of typing" title="Speak instead of typing">
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <rect x="5.5" y="1.5" width="5" height="8" rx="2.5" />
        <path d="M3 7.5a5 5 0 0 0 10 0M8 12.5V15" />
      </svg>
    </button>
  );
}
