// How a world is played, taught in a kitchen of its own: one thing is asked after the other, at one's own pace.
import { useEffect, useState } from "preact/hooks";
import { openGame, scenario, type ScenarioTold } from "../api";
import { keep, keptName, knows, learn } from "../kept";
import type { Frame, TutorialStep, Scene, Thing } from "../protocol";
import type { Session } from "../session";
import { address } from "./host";

const BACK = "backburner-back";

/** Places that a step is about, by their kinds or names. */
export const placesOf = (step: TutorialStep, scene: Scene): readonly string[] =>
  (scene.places ?? []).filter((place) => step.places.includes(place.kind) || step.places.includes(place.name)).map((place) => place.name);

const among = (things: readonly Thing[] | undefined, kind: string): boolean =>
  (things ?? []).some((thing) => thing.kind === kind || among(thing.inside, kind));

/** Whether what a step asks for is seen in a frame. */
export function isDone(step: TutorialStep, { scene, events }: Frame): boolean {
  if (!scene) return false;
  const here = new Set(placesOf(step, scene));
  return (!step.holds || (scene.bodies ?? []).some((body) => among(body.holding, step.holds)))
    && (!step.has || (scene.places ?? []).some((place) => here.has(place.name) && among(place.stack, step.has)))
    && (!step.event || events.some((event) => event.what === step.event));
}

/** The number of the step that is asked for now, from 0; as many as there are once all is done. */
export function useTutorial(steps: readonly TutorialStep[], frames: readonly Frame[]): number {
  const [at, setAt] = useState({ step: 0, frame: 0 });
  useEffect(() => {
    let { step } = at;
    for (const frame of frames.slice(at.frame)) while (step < steps.length && isDone(steps[step]!, frame)) step += 1;
    if (steps.length && (step !== at.step || frames.length !== at.frame)) setAt({ step, frame: frames.length });
  }, [frames, steps]);
  return at.step;
}

export function Tutorial({ session, steps, at }: { session: Session; steps: readonly TutorialStep[]; at: number }) {
  const step = steps[at];
  const leave = (): void => {
    learn(session.state.welcome!.scenario);
    session.end();
    const back = sessionStorage.getItem(BACK);
    sessionStorage.removeItem(BACK);
    const to = new URL(back ?? "/", location.href);
    location.assign(to);
    if (to.pathname === location.pathname) location.reload(); // another game at the same address
  };
  useEffect(() => {
    if (!step) learn(session.state.welcome!.scenario);
  }, [step]);
  return (
    <section class="tutorial card" aria-labelledby="tutorial-title">
      <h2 id="tutorial-title">{step ? `${at + 1} of ${steps.length}` : "That is all there is to it"}</h2>
      <p role="status">{step ? step.say : "Orders keep coming, and tools work while your hands are free: do the next thing meanwhile."}</p>
      <p class="row">
        {step?.keys.map((key) => <kbd key={key}>{key}</kbd>)}
        <button type="button" class={step ? "quiet" : "main"} onClick={leave}>{step ? "Skip" : "To the game"}</button>
      </p>
    </section>
  );
}

/** Leads to the tutorial of a world. By the clock it is offered until it was taken, or skipped. */
export function TutorialOffer({ id, fresh = false }: { id: string; fresh?: boolean }) {
  const [trouble, setTrouble] = useState("");
  const [told, setTold] = useState<ScenarioTold | null>(null); // who may open no games here is told nothing
  const offered = id !== "" && !(fresh && knows(id));
  useEffect(() => {
    if (offered) scenario(id).then(setTold, () => setTold(null));
  }, [id, offered]);
  if (!offered || !told) return null;
  const { seats, title } = told;
  const open = async (): Promise<void> => {
    try {
      const seat = seats[0]!;
      const plan = { scenario: id, title: "How it is played", players: { [seat]: { kind: "person" as const, name: keptName() } }, watch: false };
      const opened = await openGame(plan);
      keep({ opened, plan, title, at: Date.now(), seat });
      sessionStorage.setItem(BACK, location.href);
      location.href = address("play", opened.seats[seat]!);
      if (location.pathname === "/play") location.reload();
    } catch (error) {
      setTrouble((error as Error).message);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void open()}>Learn it in 40 seconds</button>
      {fresh && <button type="button" class="quiet" onClick={() => {
        learn(id);
        setTrouble(" ");
      }}>I know it</button>}
      {trouble.trim() && <span class="news refused" role="alert">{trouble}</span>}
    </>
  );
}
