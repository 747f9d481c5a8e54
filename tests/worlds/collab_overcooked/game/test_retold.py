"""Made-up conversations under released rules, compared with the second account of them, call by call."""

from __future__ import annotations

import random
from typing import Any

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.kitchen_step import Listener
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, Limits
from backburner.worlds.collab_overcooked.game.state import SEATS, Reply, State
from support.collab_overcooked.chatter import FORMS, ODD_ITEMS, SAYS, Chatter, usual
from support.collab_overcooked.conversations import asked_in
from support.collab_overcooked.kitchens import world_of
from support.collab_overcooked.retold import NoWay, Retold

COMPILED = Compiled(shipped_layout(SHIPPED), RELEASED)
ORDERS = ("boiled_egg", "baked_potato_slices", "baked_carrot_soup", "mashed_potato_and_pea_patty")
MOST_CALLS = 250


class World(Listener):
    """The world's side of a conversation."""

    def __init__(self, order: str, horizon: int) -> None:
        self.world = world_of(order, rules=RELEASED, limits=Limits(horizon))
        self.book = self.world.rulebook.with_listener(self)
        self.errors: list[list[Any]] = []
        self.log: list[tuple[int, int, int, str, str]] = []
        self.steps: list[dict[str, Any]] = []
        self.state: State = self.book.start(0)

    def answer(self, text: str) -> None:
        seat = SEATS[self.state.asked]
        self.state = self.book.step(self.state, {seat: self.world.parse(self.state, seat, text)}).state

    def refused(self, cook: int, now: int, call: str, refusal: Refusal) -> None:
        self.errors.append([now, cook, call, refusal.code.upper()])

    def logged(self, cook: int, opener: int, now: int, reply: Reply) -> None:
        say = "[NOTHING]" if "[NOTHING]" in reply.say else reply.say
        self.log.append((now, cook, opener, say, ";".join(reply.plan)))

    def passed(self, state: State) -> None:
        cur = [cook.call or None for cook in state.cooks]
        self.steps.append({"cur": cur, "queue": [list(cook.queue) for cook in state.cooks]})


def compared(order: str, answers: Any, horizon: int) -> int:
    """Both sides of a conversation, as long as nothing is left to chance; the number of calls.

    ``answers``: gives an answer to kitchen, cook and kind.
    """
    ours, retold = World(order, horizon), Retold(COMPILED, order)
    telling, calls = retold.play(horizon), 0
    said: list[tuple[str, str]] = []
    try:
        wanted = next(telling)
        while calls < MOST_CALLS:
            assert not ours.state.ended, said
            assert asked_in(ours.state) == wanted, said
            text = answers(ours.state.kitchen, wanted["agent"], wanted["kind"])
            said.append((wanted["kind"], text))
            calls += 1
            ours.answer(text)
            wanted = telling.send(text)
    except StopIteration:
        assert ours.state.ended and ours.state.kitchen == retold.kitchen, said
        assert ours.errors == retold.errors, said
        assert ours.steps == retold.steps, said
        assert ours.log == retold.log, said
    except NoWay:
        pass
    assert ours.steps[: len(retold.steps)] == retold.steps, said
    assert ours.errors[: len(retold.errors)] == retold.errors, said
    return calls


@pytest.mark.parametrize("oddness", [0.0, 0.15, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(6))
def test_made_up_conversations_go_alike(seed: int, oddness: float) -> None:
    draw = random.Random(f"{seed}/{oddness}")
    order = draw.choice(ORDERS)
    chatter = Chatter(COMPILED, order, draw, oddness, talks=draw.choice((0.05, 0.3, 0.8)))
    assert compared(order, chatter.answer, 25)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plan", "correct", "reply", "continue"])
def test_every_form_in_every_place(kind: str) -> None:
    """Every outer form, and every say, once for each kind of answer; the others are as usual."""
    for cook in (0, 1):
        for name in sorted(FORMS):
            one_odd(kind, cook, FORMS[name], "wait(2);place_obj_on_counter()", "hm")
            one_odd(kind, cook, FORMS[name], "wait(1);wait(2);wait(3)", "[NOTHING]")
        for say in SAYS:
            one_odd(kind, cook, usual, "wait(2);wait(1)", say)
        for item in ODD_ITEMS:
            one_odd(kind, cook, usual, f"wait(1);{item};wait(2)", "[NOTHING]")
            one_odd(kind, cook, usual, f"a;{item};wait(2)", "so")


def one_odd(kind: str, cook: int, form: Any, plan: str, say: str) -> None:
    """A conversation in which the odd answer is given whenever the cook is asked for this kind of answer."""
    given = {"n": 0}

    def answers(kitchen: Any, asked: int, asked_for: str) -> str:
        given["n"] += 1
        role, other = ("Chef", "Assistant")[asked], ("Assistant", "Chef")[asked]
        if (asked, asked_for) == (cook, kind):
            return str(form(role, other, "so", plan, say))
        plans = ("cook(pot0)", "wait(3);wait(1)", "pickup(egg,ingredient_dispenser);place_obj_on_counter()")
        words = f"word {given['n'] % 7}" if asked_for in ("plan", "reply") else "[NOTHING]"
        return usual(role, other, "so", plans[given["n"] % 3], words)

    compared("boiled_egg", answers, 6)
