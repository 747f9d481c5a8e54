"""A small world with two seats, for testing what the five big ones are built on.

Two people open a door. The *reader* sees the code of two colours and oils the hinges; the *runner*
presses buttons and cannot see the code. The reader may say something, and the runner, once free,
must answer before anything else. How long a press takes is a matter of luck.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.clock import Timed
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.text import Part, Text, parted
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Seat, Step
from backburner.kernel.view import (
    Body,
    Click,
    ClickAction,
    Controls,
    Key,
    KeyAction,
    Place,
    Progress,
    Scene,
    Thing,
    View,
)

READER, RUNNER = SEATS = ("reader", "runner")


class Say(Struct, frozen=True, tag="say", tag_field="do"):
    """The reader says something; takes a step."""

    words: str


class Oil(Struct, frozen=True, tag="oil", tag_field="do"):
    """The reader oils the hinges; takes ``Rules.oil_steps``."""


class Press(Struct, frozen=True, tag="press", tag_field="do"):
    """The runner presses a button; takes one to three steps."""

    colour: str


class Nod(Struct, frozen=True, tag="nod", tag_field="do"):
    """The runner's answer to what was said; takes no time."""

    yes: bool


class Rest(Struct, frozen=True, tag="rest", tag_field="do"):
    """Let a step go by."""


class Silence(Struct, frozen=True, tag="silence", tag_field="do"):
    """Somebody thinks; nothing is told of it."""

    ticks: int


Decision = Say | Oil | Press | Nod | Rest | Silence

UNREADABLE = Refusal("unreadable", Fault.UNREADABLE)
NOT_YOURS = Refusal("not_yours", Fault.ROLE)
NO_SUCH_BUTTON = Refusal("no_such_button", Fault.UNKNOWN_THING)
ALREADY_OILED = Refusal("already_oiled", Fault.ALREADY_DONE)
ANSWER_FIRST = Refusal("answer_first", Fault.TIMING)
NOTHING_ASKED = Refusal("nothing_asked", Fault.TIMING)
TOO_MANY_WORDS = Refusal("too_many_words", Fault.CAPACITY)


class Scenario(Struct, frozen=True):
    """The buttons on the door."""

    buttons: tuple[str, ...] = ("red", "green", "blue")


class Rules(Struct, frozen=True):
    """How long oiling takes, and how many letters fit into one saying."""

    name: str = "standard"
    oil_steps: int = 4
    letters: int = 40


class Limits(Struct, frozen=True):
    """The door stays shut after so many steps or refusals; so many sayings are heard."""

    steps: int = 40
    refusals: int = 12
    sayings: int = 3


class Doing(Struct, frozen=True):
    """What somebody is in the middle of."""

    decision: Decision | None
    ends: int
    label: str
    key: str
    kind: Literal["work", "wait", "refused"]


class State(Struct, frozen=True):
    """The two rooms; ``doing`` and ``told`` (what was refused last) hold the reader's part first."""

    code: tuple[str, ...]
    luck: int
    time: int = 0
    doing: tuple[Doing | None, Doing | None] = (None, None)
    told: tuple[str, str] = ("", "")
    oiled: bool = False
    pressed: tuple[str, ...] = ()
    heard: str = ""
    asking: bool = False
    answer: str = ""
    sayings: int = 0
    refusals: int = 0
    ended: Literal["", "open", "steps", "refusals"] = ""


class Observation(Struct, frozen=True):
    """What one seat perceives; ``known`` is the code for the reader, what was pressed for the runner."""

    seat: Seat
    time: int
    told: str
    known: tuple[str, ...]
    heard: str
    must_answer: bool


class Relay(Menus[State, Any], Text[State, Any, Observation], View[State, Any], Timed[State, Any]):
    """The door under its rules and limits."""

    id = "relay/door"
    version = 1
    time_unit = "steps"
    tick_microseconds = 1_000_000
    nominal = True
    seats: tuple[Seat, ...] = SEATS
    state_type: ClassVar[Any] = State
    decision_type: ClassVar[Any] = Decision

    def __init__(self, limits: Limits | None = None) -> None:
        self.scenario = Scenario()
        self.rules = Rules()
        self.limits = limits or Limits()

    def now(self, state: State) -> int:
        return state.time

    def silence(self, state: State, seat: Seat, ticks: int) -> Silence:
        return Silence(ticks)

    def unmoved(self, state: State, seat: Seat) -> Any:
        return state.told[SEATS.index(seat)], state.sayings, state.refusals

    def start(self, seed: int = 0) -> State:
        draw = random.Random(f"relay/{seed}")
        return State(tuple(draw.choices(self.scenario.buttons, k=2)), draw.randrange(2**16))

    def deciders(self, state: State) -> tuple[Seat, ...]:
        if state.ended:
            return ()
        free = tuple(seat for seat, doing in zip(SEATS, state.doing, strict=True) if doing is None)
        return (RUNNER,) if state.asking and RUNNER in free else free

    def step(self, state: State, decisions: Mapping[Seat, Decision | Refusal]) -> Step[State]:
        if state.ended:
            return Step(state)
        events: list[Event] = []
        refusals: list[Refusal] = []
        before = state
        for seat in self.deciders(before):
            decision = decisions.get(seat)
            why = self.obstacle(before, seat, decision)
            if why is None:
                state = self.begin(state, seat, decision, events)
            else:
                refusals.append(replace(why, seat=seat))
                state = self.refuse(state, seat, why, events)
        while not (state.ended or self.must_ask(before, state)):
            state = self.tick(state, events)
        return Step(_aloud(state), tuple(events), tuple(refusals))

    def must_ask(self, before: State, state: State) -> bool:
        """Whether somebody must be asked: in a silence, when it is over or somebody new is to be asked."""
        silences = [doing for doing in state.doing if doing is not None and not doing.key]
        if not silences:
            return bool(self.deciders(state))
        over = state.time > before.time and len(silences) < len(self.deciders(before))
        return over or not {*self.deciders(_aloud(state))} <= {*self.deciders(before)}

    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        """Why the decision is refused, if it is."""
        if isinstance(decision, Refusal):
            return decision
        must_answer = state.asking and seat == RUNNER
        match decision:
            case Say() | Oil() if seat == RUNNER:
                return NOT_YOURS
            case Press() | Nod() if seat == READER:
                return NOT_YOURS
            case Silence(ticks):
                return None if ticks > 0 else UNREADABLE
            case Say(words) if not words or len(words) > self.rules.letters:
                return TOO_MANY_WORDS
            case Say():
                return TOO_MANY_WORDS if state.sayings >= self.limits.sayings else None
            case Oil():
                return ALREADY_OILED if state.oiled else None
            case Nod():
                return None if must_answer else NOTHING_ASKED
            case Press(colour) if colour not in self.scenario.buttons:
                return NO_SUCH_BUTTON
            case Press() | Rest():
                return ANSWER_FIRST if must_answer else None
        return UNREADABLE

    def begin(self, state: State, seat: Seat, decision: Any, events: list[Event]) -> State:
        """Start what was decided and is allowed."""
        if isinstance(decision, Silence):
            doing = Doing(decision, state.time + decision.ticks, "", "", "wait")
            return replace(state, doing=_with(state.doing, seat, doing))
        told = _with(state.told, seat, "")
        match decision:
            case Nod(yes):
                answer = "yes" if yes else "no"
                events.append(Event(state.time, "said", seat, answer))
                return replace(state, told=told, asking=False, answer=answer)
            case Say(words):
                events.append(Event(state.time, "said", seat, words))
                state = replace(state, heard=words, asking=True, sayings=state.sayings + 1)
        lasts = {Oil: self.rules.oil_steps, Press: 1 + (state.luck >> 8) % 3}.get(type(decision), 1)
        luck = (state.luck * 5 + 3) % 2**16 if isinstance(decision, Press) else state.luck
        kind: Literal["work", "wait"] = "wait" if isinstance(decision, Rest) else "work"
        doing = Doing(decision, state.time + lasts, self.words(decision), f"{seat}@{state.time}", kind)
        return self.occupy(replace(state, told=told, luck=luck), seat, doing, events)

    def refuse(self, state: State, seat: Seat, why: Refusal, events: list[Event]) -> State:
        """A refusal costs its seat a step."""
        doing = Doing(None, state.time + 1, why.code, f"{seat}@{state.time}", "refused")
        told = _with(state.told, seat, why.code)
        return self.occupy(replace(state, told=told, refusals=state.refusals + 1), seat, doing, events)

    def occupy(self, state: State, seat: Seat, doing: Doing, events: list[Event]) -> State:
        events.append(Event(state.time, "start", seat, doing.label, doing.key, doing.kind))
        return replace(state, doing=_with(state.doing, seat, doing))

    def tick(self, state: State, events: list[Event]) -> State:
        """One step of time, in which both are busy."""
        state = replace(state, time=state.time + 1)
        for seat, doing in zip(SEATS, state.doing, strict=True):
            if doing is not None and doing.ends <= state.time:
                if doing.key:
                    events.append(Event(state.time, "end", seat, doing.label, doing.key, doing.kind))
                state = self.finish(replace(state, doing=_with(state.doing, seat, None)), doing.decision)
        ended = self.ending(state)
        for seat, doing in zip(SEATS, state.doing, strict=True):
            if ended and doing is not None and doing.key:
                events.append(Event(state.time, "pause", seat, doing.label, doing.key, doing.kind))
        return replace(state, ended=ended)

    def finish(self, state: State, decision: Decision | None) -> State:
        match decision:
            case Oil():
                return replace(state, oiled=True)
            case Press(colour):
                return replace(state, pressed=(*state.pressed, colour)[-2:])
        return state

    def ending(self, state: State) -> Literal["", "open", "steps", "refusals"]:
        if state.oiled and state.pressed == state.code:
            return "open"
        if state.time >= self.limits.steps:
            return "steps"
        return "refusals" if state.refusals >= self.limits.refusals else ""

    def observe(self, state: State, seat: Seat) -> Observation:
        reads = seat == READER
        return Observation(
            seat,
            state.time,
            state.told[SEATS.index(seat)],
            known=state.code if reads else state.pressed,
            heard=state.answer if reads else state.heard,
            must_answer=state.asking and not reads,
        )

    def outcome(self, state: State) -> Outcome:
        numbers: dict[str, int | float] = {"steps": state.time, "open": int(state.ended == "open")}
        if not state.ended:
            return Outcome("running", "", numbers)
        return Outcome("ended" if state.ended == "open" else "cut off", state.ended, numbers)

    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        colours = self.scenario.buttons
        everything = [Oil(), *map(Say, colours), *map(Press, colours), Nod(True), Nod(False), Rest()]
        open_to = [decision for decision in everything if self.obstacle(state, seat, decision) is None]
        options = tuple(self.option(decision, seat) for decision in open_to)
        return Menu(options, complete=not any(isinstance(d, Say) for d in open_to))

    def option(self, decision: Decision, seat: Seat) -> Option[Any]:
        words = self.words(decision)
        verb, _, button = words.partition(" ")
        if verb not in self.verbs:
            return Option(decision, words)
        things = (button,) if button else ()
        return Option(decision, words, isinstance(decision, Rest), body=seat, verb=verb, things=things)

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        colours = ", ".join(self.scenario.buttons)
        if seat == READER:
            role, task = f"You see the code ({colours}).", "Oil the hinges, say what helps, or rest."
        else:
            role = f"You press buttons ({colours}) or rest."
            task = "When something was said, nod or shake your head."
        return parted((("role", role), ("instructions", task)), " ")

    def description_parts(self, observation: Observation) -> Sequence[Part]:
        sees = f"You know: {' '.join(observation.known) or 'nothing'}."
        heard = f"You heard {observation.heard!r}." if observation.heard else ""
        asked = "Answer." if observation.must_answer else ""
        told = f"Refused: {observation.told}." if observation.told else ""
        time = f"Step {observation.time}."
        return parted(
            (("feedback", told), ("state", sees), ("state", heard), ("question", asked), ("state", time)), " "
        )

    def parse(self, state: State, seat: Seat, text: str) -> Decision | Refusal:
        verb, _, rest = text.strip().partition(" ")
        match verb.lower(), rest.strip():
            case "oil", "":
                return Oil()
            case "rest", "":
                return Rest()
            case "nod" | "shake", "":
                return Nod(verb.lower() == "nod")
            case "press", colour:
                return Press(colour) if colour in self.scenario.buttons else NO_SUCH_BUTTON
            case "say", words if words:
                return Say(words)
        return UNREADABLE

    def words(self, decision: Decision, seat: Seat = "") -> str:
        match decision:
            case Say(words):
                return f"say {words}"
            case Press(colour):
                return f"press {colour}"
            case Nod(yes):
                return "nod" if yes else "shake"
            case Silence(ticks):
                return f"(thinks for {ticks})"
        return "oil" if isinstance(decision, Oil) else "rest"

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The reader at the door, the runner at the buttons; what was pressed is the runner's to see."""
        pressed = tuple(Thing(f"{at} {colour}", colour) for at, colour in enumerate(state.pressed))
        places = (Place("door", "door", (0, 0)), Place("buttons", "buttons", (2, 0)))
        oiling = tuple(
            Progress("oil", state.time - doing.ends + self.rules.oil_steps, self.rules.oil_steps)
            for doing in state.doing[:1]
            if doing is not None and isinstance(doing.decision, Oil) and seat is None
        )
        bodies = (
            Body(READER, "person", (0, 1), (0, -1), "door", progress=oiling),
            Body(RUNNER, "person", (2, 1), (0, -1), "buttons"),
        )
        return Scene(3, 2, places, bodies, pressed if seat != READER else (), "Open the door.")

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        return {"oil": (), "press": ("button",), "rest": ()}

    @property
    def controls(self) -> Controls:
        keys = (KeyAction("oil", Key("o")), KeyAction("rest", Key("space")))
        return Controls((ClickAction("press", Click("button")),), keys)

    def hidden_variants(self, state: State, seat: Seat) -> Sequence[State]:
        variants = [replace(state, luck=state.luck ^ 0xFFFF)]
        if seat == READER:
            variants.append(replace(state, pressed=(*state.pressed, "green")[-2:]))
        else:
            variants += [replace(state, code=("blue", other)) for other in self.scenario.buttons]
            variants.append(replace(state, oiled=not state.oiled))
        return [variant for variant in variants if variant != state]


def _with(pair: tuple[Any, Any], seat: Seat, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if seat == READER else (pair[0], value)


def _aloud(state: State) -> State:
    """The state without the silences in it."""
    reader, runner = (None if doing is not None and not doing.key else doing for doing in state.doing)
    return replace(state, doing=(reader, runner))
