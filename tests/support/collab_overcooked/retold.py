"""The released program's talk, queues and waits told a second time, slow and plain, to compare with the game.

Nothing of the game's reading of answers, queues, waits and talk is used, only the kitchen below them: what a
call does to it, and whether it can be done. A turn is told as one course of events, from top to bottom, that
stops wherever a cook is asked for something.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import IDLE
from backburner.worlds.collab_overcooked.game.state import Kitchen, Move

Asking = Generator[dict[str, Any], str, str]
"""Asks cooks, is sent their answers, and returns a text."""

ROLES = ("Chef", "Assistant")
UNREADABLE = "no plan at all"
VERBS = ("cook", "cut", "bake", "stir")


class NoWay(Exception):
    """There is no way to go on with a call; here the program draws lots."""


class Retold:
    """An episode. ``cur``, ``queue``, ``moved``, ``left`` are those of chef and assistant."""

    def __init__(self, compiled: Compiled, order: str) -> None:
        self.compiled = compiled
        self.order = order
        self.kitchen: Kitchen = compiled.stepper.start((order,))
        self.cur: list[str | None] = [None, None]
        self.queue: list[list[str]] = [[], []]
        self.moved = [0, 0]
        self.left = [0, 0]
        self.shown: list[tuple[str, str]] = [("", ""), ("", "")]
        self.errors: list[list[Any]] = []
        self.log: list[tuple[int, int, int, str, str]] = []
        self.steps: list[dict[str, Any]] = []

    def play(self, horizon: int) -> Generator[dict[str, Any], str, None]:
        """All steps until the order is delivered or the horizon is reached."""
        while self.kitchen.steps < horizon and self.kitchen.orders:
            first = yield from self.decide(0)
            second = yield from self.decide(1)
            self.steps.append({"cur": [*self.cur], "queue": [[*one] for one in self.queue]})
            self.kitchen = self.compiled.stepper.step(self.kitchen, (first, second)).kitchen

    # One decision

    def decide(self, a: int) -> Generator[dict[str, Any], str, Move]:
        b = 1 - a
        if self.moved[b] > 0 and self.cur[b] is not None and self.done(b):
            self.cur[b] = None
        if self.cur[a] is None:
            self.cur[a] = yield from self.next(a)
        if "wait" in self.now(a) and self.queue[a]:
            self.cur[a] = yield from self.next(a)
        if self.moved[a] > 0 and self.done(a):
            self.cur[a] = None
            self.cur[a] = yield from self.next(a)
        if self.moved[a] == 0 and self.refused(a):
            self.queue[a] = []
            self.cur[a] = yield from self.request(a, correcting=True)
            if self.refused(a):
                self.queue[a] = []
                self.cur[a], self.left[a] = "wait(1)", 1
        if "wait" in self.now(a):
            self.moved[a] += 1
            self.left[a] -= 1
            return IDLE
        call = self.valid(a)
        assert isinstance(call, Call)
        move = self.compiled.execution.move(self.kitchen, a, call)
        if move is None:
            raise NoWay
        self.moved[a] = max(1, self.moved[a])
        return move

    def now(self, a: int) -> str:
        return self.cur[a] or ""

    def done(self, a: int) -> bool:
        text = self.now(a)
        _, args = words_of(text)
        held = self.kitchen.bodies[a].held
        if "pickup" in text:
            return held == args[0]
        if any(verb in text for verb in VERBS):
            utensil = self.compiled.grid.utensil_named[args[0]]
            content = self.kitchen.content(utensil)
            return bool(self.kitchen.ruined) or (content is not None and content.cooking)
        if "fill" in text:
            return self.order in held
        if "place" in text or "put" in text or "deliver" in text:
            return not held
        return self.left[a] <= 0

    def refused(self, a: int) -> bool:
        call = self.valid(a)
        if isinstance(call, Call):
            if call.verb == "wait":
                self.left[a] = wait_length(self.now(a))
                return False
            found = self.compiled.legality.refusal(self.kitchen, a, call)
            code = "" if found is None else found.code.upper()
        else:
            code = call
        if code:
            self.errors.append([self.kitchen.steps, a, self.now(a), code])
        return bool(code)

    def valid(self, a: int) -> Call | str:
        """The current call, or the code of what is wrong with how it is written."""
        return call_of(self.now(a), self.compiled)

    # The next call

    def next(self, a: int) -> Asking:
        self.moved[a] = 0
        if not self.queue[a]:
            return (yield from self.request(a))
        text, self.queue[a] = ";".join(self.queue[a]), []
        return self.planned(a, f"{ROLES[a]} plan :{text}")

    def planned(self, a: int, text: str) -> str:
        """Read a plan's text into the queue; returns the call that becomes the current one."""
        items = items_of(a, text)
        if items is None:
            self.left[a] = 1
            return "wait(1)"
        own = first_own(items)
        if not own:
            own, items = "wait(1)", ["wait(1)"]
        self.queue[a] = items[1:]
        if "wait" in own:
            self.left[a] = wait_length(own)
        return own

    def request(self, a: int, correcting: bool = False) -> Asking:
        """Ask for a plan, or for another one after a refusal."""
        self.moved[a] = 0
        kind = "correct" if correcting else "plan"
        answer = yield from self.ask(a, kind)
        say, plan = say_of(a, answer) or "", plan_of(a, answer)
        if say_of(a, answer) is None:
            say = "[NOTHING]"
        last = answer
        if not analysis_of(a, answer):
            last = yield from self.repair(a, "plan", kind)
        if not plan:
            last = yield from self.repair(a, "plan", kind)
            plan = plan_of(a, last) or UNREADABLE
        self.note(a, a, say, plan_of(a, last))
        if not correcting and "[NOTHING]" not in say and "[EMPTY]" not in say:
            return self.planned(a, (yield from self.talk(a, say)))
        if not correcting and "[NOTHING]" in plan:
            return self.planned(a, last)
        return self.planned(a, plan)

    def ask(self, a: int, kind: str) -> Asking:
        self.shown[a] = (self.plans(a), self.plans(1 - a))
        return (yield self.question(a, kind, ""))

    def repair(self, a: int, part: str, within: str) -> Asking:
        """Asking again shows what was shown before."""
        return (yield self.question(a, f"fix_{part}", within))

    def question(self, a: int, kind: str, within: str) -> dict[str, Any]:
        own, mate = self.shown[a]
        return {
            "t": self.kitchen.steps,
            "agent": a,
            "kind": kind,
            "within": within,
            "shown_own": own,
            "shown_mate": mate,
        }

    def plans(self, a: int) -> str:
        first = [] if self.cur[a] is None else [self.now(a)]
        return ";".join([*first, *self.queue[a]])

    def note(self, cook: int, opener: int, say: str, plan: str) -> None:
        logged = "[NOTHING]" if "[NOTHING]" in say else say
        text = items_text(cook, plan) if plan else ""
        self.log.append((self.kitchen.steps, cook, opener, logged, text))

    # Talk

    def talk(self, a: int, opening: str) -> Asking:
        """A talk that ``a`` opens; returns the text of the plan that it ends with."""
        said: list[list[str]] = [[], []]
        said[a].append(opening)
        over = False
        while not over:
            yield from self.turn(1 - a, a, said)
            last = yield from self.turn(a, a, said)
            over, last = last.startswith("over "), last[5:]
        plan = plan_of(a, last)
        if not plan:
            plan = plan_of(a, (yield from self.repair(a, "plan", "talk")))
        return plan or UNREADABLE

    def turn(self, cook: int, opener: int, said: list[list[str]]) -> Asking:
        """One answer in a talk: ``over`` or ``more``, and the answer that counts."""
        kind = "continue" if cook == opener else "reply"
        answer = yield from self.ask(cook, kind)
        first = say_of(cook, answer)
        self.note(cook, opener, "[NOTHING]" if first is None else first, plan_of(cook, answer))
        if not analysis_of(cook, answer):
            yield from self.repair(cook, "analysis", kind)
        if first == "":
            answer = yield from self.repair(cook, "say", kind)
        say = say_of(cook, answer)
        silent = say is None or "[NOTHING]" in say
        kept = "OK.<END>" if say is None or silent else say
        if kept in said[cook]:
            return f"over {answer}"
        said[cook].append(kept)
        plan = plan_of(cook, answer)
        if "nothing" not in plan.lower() and not self.queue[cook]:
            items = items_of(cook, plan) or [""]
            self.queue[cook] = items if first_own(items) else ["wait(1)"]
        return f"over {answer}" if silent or "end" in kept.lower() else f"more {answer}"


# --- texts ----------------------------------------------------------------------------------------------


def analysis_of(a: int, text: str) -> str:
    role = ROLES[a]
    pattern = rf"{role}\s+analysis\s*:?\s*(.*?)\s*{role}\s+plan:"
    found = re.search(pattern, text, re.DOTALL | re.IGNORECASE)
    return found[1] if found else ""


def say_of(a: int, text: str) -> str | None:
    found = re.search(rf"{ROLES[a]}\s+say\s*:?(.*)", text, re.DOTALL | re.IGNORECASE)
    return found[1].strip() if found else None


def plan_of(a: int, text: str) -> str:
    """The plan with its label, or nothing if it cannot be read."""
    role = ROLES[a]
    found = re.search(rf"{role}\s+plan\s*:?\s*(.*?)\s*(?=\s{role}\s+say:)", text)
    if found is None:
        return ""
    parts = found[0].split(";")[0].replace("\n", "").split(":")
    if len(parts) != 2:
        return ""
    name, _ = words_of(parts[1])
    return found[0].strip() if 0 < len(name) < 30 else ""


def items_text(a: int, text: str) -> str:
    found = re.search(rf"{ROLES[a]}\s+plan\s*:?(.*)", text, re.DOTALL | re.IGNORECASE)
    return found[1].strip() if found else ""


def items_of(a: int, text: str) -> list[str] | None:
    found = re.search(rf"{ROLES[a]}\s+plan\s*:?(.*)", text, re.DOTALL | re.IGNORECASE)
    return found[1].strip().lower().split(";") if found else None


def first_own(items: list[str]) -> str:
    said = ("request", "accept", "deny", "clarify")
    return next((item for item in items if not any(word in item for word in said)), "")


def words_of(text: str) -> tuple[str, list[str]]:
    """The word that a call begins with, and its arguments."""
    tidy = text.replace(" ", "").replace("\n", "")
    found = re.match(r"(?:[0-9]+\.\s*)?(\w+)\s*(?:\((.*?)\))?", tidy)
    if found is None:
        return ("wait", ["1"]) if "nothing" in tidy or "NOTHING" in tidy else ("", [])
    inside = found[2]
    return found[1], [] if inside is None else [re.sub("[ '\"]", "", one) for one in inside.split(",")]


def wait_length(text: str) -> int:
    if text == "wait":
        return 1
    for part in ("wait", "(", ")", '"', "."):
        text = text.replace(part, "")
    return int(text) if text.isdigit() else 1


def call_of(text: str, compiled: Compiled) -> Call | str:
    """The call as the kitchen takes it, or the code of what is wrong with it."""
    name, args = words_of(text)
    utensils = {one.name: one.verb for one in compiled.grid.utensils}
    if not name:
        return "FMT_UNPARSABLE"
    if text == "place_obj_on_counter()":
        return Call("place_obj_on_counter")
    if "pickup(" in text:
        return pickup_of(args, compiled)
    for verb, word in (("put_obj_in_utensil", "PUT"), ("fill_dish_with_food", "FILL")):
        if f"{verb}(" in text:
            given = args[1:2] if word == "PUT" and len(args) > 1 else args
            if len(given) != 1:
                return f"FMT_{word}_ARITY"
            return Call(verb, place=given[0]) if given[0] in utensils else f"FMT_{word}_UNKNOWN_UTENSIL"
    if text in ("deliver_soup()", "check_recipe()"):
        return Call(text[:-2])
    for verb in VERBS:
        if verb in text:
            if len(args) != 1:
                return "FMT_UNPARSABLE"
            return Call(verb, place=args[0]) if utensils.get(args[0]) == verb else "FMT_OPERATE_WRONG_UTENSIL"
    if "wait" not in text:
        return "FMT_UNPARSABLE"
    return Call("wait") if wait_length(text) <= 5 else "FMT_WAIT_TOO_LONG"


def pickup_of(args: list[str], compiled: Compiled) -> Call | str:
    if len(args) != 2:
        return "FMT_PICKUP_ARITY"
    item, place = args
    raw = item in compiled.cookbook.raw
    if item != "dish" and item not in compiled.cookbook.products:
        return "FMT_PICKUP_UNKNOWN_OBJECT"
    if "dispenser" in place:
        if item != "dish" and not raw:
            return "FMT_DISPENSER_NOT_RAW"
        if item == "dish" and "ingredient_dispenser" in place:
            return "FMT_DISH_FROM_INGREDIENT_DISPENSER"
        if item != "dish" and "dish_dispenser" in place:
            return "FMT_INGREDIENT_FROM_DISH_DISPENSER"
    elif "counter" not in place and place not in compiled.grid.utensil_named:
        return "FMT_PICKUP_UNKNOWN_PLACE"
    return Call("pickup", item, place)
