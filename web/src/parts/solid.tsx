// The same scene in three dimensions, and in a headset; its code comes only when it is asked for.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Frame, Turn, Welcome } from "../protocol";
import { useHues } from "../scene/hues";
import type { Act } from "../session";
import type { mount, Space } from "../space/space";

interface SolidProps {
  frame: Frame;
  welcome: Welcome;
  turn: Turn | null;
  act: (what: Act) => void;
}

// A file of its own beside the client's; not bundled into it.
const SPACE = "./space.js";

export function Solid({ frame, welcome, turn, act }: SolidProps) {
  const hues = useHues();
  const holder = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState<Space | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let made: Space | null = null;
    let gone = false;
    const load = import(SPACE) as Promise<{ mount: typeof mount }>;
    load.then(
      (loaded) => {
        if (gone || !holder.current) return;
        made = loaded.mount(holder.current, act, { controls: welcome.controls, verbs: welcome.verbs, live: welcome.live, hues });
        setSpace(made);
      },
      () => setTrouble("The view in three dimensions could not be loaded."),
    );
    return () => {
      gone = true;
      made?.close();
    };
  }, [act, welcome.game, welcome.seat]); // a connection that was lost and is back leaves one in the headset
  useLayoutEffect(() => {
    if (space && frame.scene) space.show(frame.scene, welcome.seat, frame.shots);
  }, [space, frame, welcome.seat]);
  useEffect(() => space?.ask(turn), [space, turn]);
  return (
    <div class="solid">
      <div ref={holder} />
      {!space && !trouble && <p class="soft">Loading …</p>}
      {trouble && <p class="news refused" role="alert">{trouble}</p>}
    </div>
  );
}
