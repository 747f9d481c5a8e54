// A participant's page. It stands at /study/NAME; who somebody is stands in the link, or was kept by this browser.
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { register } from "../pages/registry";
import { Dialog } from "../parts/dialog";
import { PlayStage } from "./play";
import { Prose } from "./prose";
import type { StageTold, WordsTold } from "./protocol";
import { Session } from "./session";
import { ConsentStage, EndStage, filled, FormStage, TextStage, WaitStage } from "./stages";

const KINDS = { text: TextStage, consent: ConsentStage, form: FormStage, play: PlayStage, wait: WaitStage, end: EndStage };

function StudyPage() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const session = useMemo(() => {
    const parameters = Object.fromEntries(new URLSearchParams(location.search));
    return new Session(location.pathname.replace(/\/+$/, ""), parameters, () => redraw(0));
  }, []);
  useEffect(() => {
    session.open();
    return () => session.close();
  }, [session]);
  const { words, away, closed, link, stage: told } = session.state;
  const [stage, read] = useRead(told);
  useLanguage(away ?? words, words?.title ?? "");
  useColours(words?.colours ?? "own");
  if (away) return <main class="frame narrow study"><p role="alert">{away.why}</p></main>;
  if (closed) return <main class="frame narrow study"><p role="alert">{closed}</p></main>;
  if (!words || !stage) return <main class="frame narrow study"><p role="status">Connecting …</p></main>;
  return (
    <>
      {link === "lost" && <p class="banner" role="status">{words.words.lost}</p>}
      {told && told.messages.length > 0 && (
        <div class="message" role="alert">
          <b>{words.words.message}</b>
          {told.messages.map((message, index) => <p key={index}>{message}</p>)}
          <button type="button" onClick={() => session.read(told.message)}>{words.words.have_read}</button>
        </div>
      )}
      <Stage session={session} stage={stage} words={words} read={read} />
      <Foot session={session} stage={stage} words={words} />
    </>
  );
}

function Stage({ session, stage, words, read }: { session: Session; stage: StageTold; words: WordsTold; read: (() => void) | null }) {
  const head = useRef<HTMLHeadingElement>(null);
  const place = `${stage.position} ${stage.stage}`;
  useEffect(() => {
    head.current?.focus();
    window.scrollTo(0, 0);
  }, [place]);
  const Kind = KINDS[stage.stage];
  return (
    <main class={stage.stage === "play" ? "frame-wide study" : "frame narrow study"} data-stage={stage.stage} data-position={stage.position}>
      <header class="study-head">
        <h1 ref={head} tabIndex={-1}>{stage.title || words.title}</h1>
        {stage.stages !== null && stage.stage !== "end" && (
          <p class="soft small">{filled(words.words.step, { position: stage.position + 1, total: stage.stages })}</p>
        )}
      </header>
      {stage.practice && <p class="banner calm">{words.words.practice}</p>}
      {stage.trials > 1 && stage.stage === "play" && <p class="soft">{filled(words.words.trial, { number: stage.trial, total: stage.trials })}</p>}
      <Kind key={place} session={session} stage={stage} words={words.words} read={read} />
    </main>
  );
}

function Foot({ session, stage, words }: { session: Session; stage: StageTold; words: WordsTold }) {
  const [asking, setAsking] = useState(false);
  const stop = (remove: boolean): void => {
    setAsking(false);
    session.stop(remove);
  };
  return (
    <footer class="frame narrow study-foot">
      <details>
        <summary>{words.words.contact}</summary>
        <Prose text={words.contact} />
      </details>
      {words.languages.length > 1 && (
        <label>
          <span>{words.words.language}</span>
          <select value={words.language} onChange={(event) => session.speak(event.currentTarget.value)}>
            {words.languages.map((language) => <option key={language} value={language} lang={language}>{ownName(language)}</option>)}
          </select>
        </label>
      )}
      {stage.stage !== "end" && <button type="button" class="quiet" onClick={() => setAsking(true)}>{words.words.stop}</button>}
      {asking && (
        <Dialog title={words.words.stop ?? ""} onClose={() => setAsking(false)}>
          <p>{words.words.stop_sure}</p>
          <p class="row">
            {words.withdrawal === "ask" ? (
              <>
                <button type="button" onClick={() => stop(false)}>{words.words.stop_keep}</button>
                <button type="button" class="danger" onClick={() => stop(true)}>{words.words.stop_delete}</button>
              </>
            ) : (
              <button type="button" class="danger" onClick={() => stop(words.withdrawal === "delete")}>{words.words.stop_plain}</button>
            )}
            <button type="button" class="main" onClick={() => setAsking(false)}>{words.words.go_on}</button>
          </p>
        </Dialog>
      )}
    </footer>
  );
}

/** What is shown: a game that is over stays with its lesson until that was read, unless a game or the end of somebody who has stopped follows. */
function useRead(told: StageTold | null): [StageTold | null, (() => void) | null] {
  const last = useRef<StageTold | null>(null);
  const [read, setRead] = useState("");
  const token = last.current?.game?.lessons ? last.current.game.token : "";
  const next = told !== null && (told.stage === "form" || told.stage === "text" || told.name === "complete");
  if (next && token && token !== read) return [last.current, () => setRead(token)];
  last.current = told;
  return [told, null];
}

/** A language as those call it who speak it. */
function ownName(language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** The colours that the study's file sets, until somebody switches them. */
function useColours(colours: WordsTold["colours"]): void {
  useEffect(() => {
    if (colours !== "own") document.documentElement.dataset.theme = colours;
  }, [colours]);
}

function useLanguage(told: { language: string; direction: string } | null, title: string): void {
  useEffect(() => {
    if (told) {
      document.documentElement.lang = told.language;
      document.documentElement.dir = told.direction;
    }
    if (title) document.title = title;
  }, [told?.language, told?.direction, title]);
}

register("study", StudyPage);
