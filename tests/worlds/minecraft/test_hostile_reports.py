"""Whatever a server reports: a state that play goes on from and a story that holds, or a refusal; at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backburner.kernel.activities import activities
from backburner.kernel.values import Event, Step
from backburner.worlds.minecraft.game import Calls, Minecraft
from backburner.worlds.minecraft.game.actions import Came, Report, SeenBody
from backburner.worlds.minecraft.game.physics import Furnace
from backburner.worlds.minecraft.game.scenarios import SERVER
from backburner.worlds.minecraft.game.server import CODES, PREDICTED
from backburner.worlds.minecraft.game.state import Killed, State
from support.minecraft.play import DISPATCHER, yard
from support.promptly import within
from worlds.minecraft.game.test_properties import calls

MILLION = 1_000_000

names = st.sampled_from(["alex", "steve"])
dishes = st.sampled_from(["beef", "chicken", "cooked_beef", "cooked_chicken", "dirt", "oak_log"])
counts = st.integers(1, 70) | st.integers(-1, 10**12)
items = st.dictionaries(dishes, counts, max_size=4).map(lambda held: tuple(sorted(held.items())))
stacks = st.tuples(dishes, st.integers(1, 64)) | st.just(("", 0)) | st.tuples(st.text(max_size=5), counts)
places = st.floats(-40, 40) | st.floats()
good_furnaces = st.builds(
    lambda put, fuel, out, burning, progress: Furnace(put, fuel, out, burning, progress if put[1] else 0),
    st.just(("", 0)) | st.tuples(st.sampled_from(["beef", "chicken", "dirt"]), st.integers(1, 64)),
    st.just(("", 0)) | st.tuples(st.just("oak_log"), st.integers(1, 64)),
    st.just(("", 0)) | st.tuples(st.sampled_from(["cooked_beef", "dirt"]), st.integers(1, 64)),
    st.integers(0, 300),
    st.integers(0, 199),
)
furnaces = st.builds(Furnace, stacks, stacks, stacks, st.integers(-9, 10**9), st.integers(-9, 400))
ends = st.integers(0, 400) | st.integers()
came = st.builds(Came, names, ends, st.sampled_from(["", *sorted(CODES)]), st.text(), st.booleans())
bodies = st.builds(SeenBody, names, st.tuples(places, places), items)
hostile = st.builds(
    Report,
    st.integers(1, 400) | st.integers(),
    st.lists(came, max_size=2, unique_by=lambda each: each.bot).map(tuple),
    st.lists(st.builds(Killed, names, st.sampled_from(["pig", "cow", "dragon"])), max_size=3).map(tuple),
    st.lists(bodies, max_size=2, unique_by=lambda each: each.bot).map(tuple),
    st.none() | good_furnaces | furnaces,
    st.none() | items,
    st.none() | st.lists(st.integers(-1, 8), max_size=3).map(tuple),
    waited=st.just(0) | st.integers(),
)
good_calls = st.builds(
    lambda bot, ticks, code, running: Came(bot, ticks, code, "no way" if code else "", running and not code),
    names,
    st.integers(0, 500),
    st.sampled_from(["", "", "", "no_mob", "on_server"]),
    st.booleans(),
)
good_items = st.dictionaries(dishes, st.integers(1, 9), max_size=4).map(
    lambda held: tuple(sorted(held.items()))
)
good_places = st.floats(-40, 40)
good = st.builds(
    Report,
    st.integers(1, 400),
    st.lists(good_calls, max_size=2, unique_by=lambda each: each.bot).map(tuple),
    st.lists(st.builds(Killed, names, st.sampled_from(["chicken", "cow"])), max_size=2).map(tuple),
    st.lists(
        st.builds(SeenBody, names, st.tuples(good_places, good_places), good_items),
        max_size=2,
        unique_by=lambda each: each.bot,
    ).map(tuple),
    st.none() | good_furnaces,
    st.none() | good_items,
    st.none() | st.lists(st.integers(2, 5), max_size=3, unique=True).map(tuple),
    waited=st.just(0) | st.integers(0, 400),
)
steps = st.lists(
    st.tuples(st.lists(calls, max_size=2), st.one_of(good, good, st.none(), hostile)), max_size=8
)


LATE = Report(1, (Came("steve", 0, running=True),))
"""Steve goes on with what was to be over long ago."""


@settings(max_examples=150)
@example("standard", [([], None), (["goto(steve, chicken)"], LATE), ([], LATE), ([], None)])
@given(st.sampled_from(["standard", "released"]), steps)
def test_any_reports_leave_a_state_and_a_story(
    rules: str, steps: Sequence[tuple[list[str], Report | None]]
) -> None:
    world = yard(rules, live=True)
    state, events = world.start(), list[Event]()
    for given_calls, report in steps:
        middle = world.step(state, {DISPATCHER: Calls(tuple(given_calls))}).state
        step = world.step(middle, {SERVER: Calls((), report=report)})
        _check_step(world, middle, step, report)
        state = step.state
        events += step.events
    _check_story(events)


def _check_step(world: Minecraft, before: State, step: Step[State], report: Report | None) -> None:
    """The step took time, its state is one, and can be told, drawn and gone on from."""
    state = step.state
    assert state.steps == before.steps + 1 and state.ticks > before.ticks and not state.given
    refused = [refusal for refusal in step.refusals if refusal.seat == SERVER]
    if report is not None and not refused:
        assert state.ticks == before.ticks + report.waited + report.ticks
        assert report.chest is None or state.chest == report.chest
    else:
        assert state.ticks == world.step(before, {SERVER: PREDICTED}).state.ticks
    times = [20 * event.time for event in step.events]
    assert times == sorted(times) and all(before.ticks <= time <= state.ticks for time in times)
    assert len(state.orders) + len(state.served) + state.expired == state.arrived
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    scene = world.scene(state)
    assert scene.width < 500 and scene.height < 500
    for seat in world.seats:
        assert world.describe(world.observe(state, seat))


def _check_story(events: Sequence[Event]) -> None:
    """What ends has begun, and each key is that of one activity."""
    opened: set[str] = set()
    ended: set[str] = set()
    for event in events:
        if event.what == "start":
            assert event.key not in opened | ended, event
            opened.add(event.key)
        elif event.what == "end":
            assert event.key in opened, event
            opened.remove(event.key)
            ended.add(event.key)
    assert all(each.start <= each.end for each in activities(events))


LARGE: dict[str, dict[str, Any]] = {
    "chest": {"ticks": 50, "chest": [["beef", 1]] * MILLION},
    "calls": {"ticks": 50, "calls": [{"bot": "alex", "ticks": 1}] * (MILLION // 5)},
    "killed": {"ticks": 50, "killed": [{"bot": "alex", "mob": "pig"}] * (MILLION // 5)},
    "gone": {"ticks": 50, "gone": list(range(MILLION))},
    "why": {"ticks": 50, "calls": [{"bot": "alex", "ticks": 1, "code": "on_server", "why": "x" * MILLION}]},
    "name": {"ticks": 50, "chest": [["x" * MILLION, 1]]},
}


def test_large_reports_are_refused_at_once() -> None:
    """As decisions, as a record has them, and as texts; a MB of anything takes 0.1 s at most."""
    world = yard(live=True)
    middle = world.step(world.start(), {DISPATCHER: Calls(())}).state
    for name, written in LARGE.items():
        decision = msgspec.convert({"calls": [], "report": written}, Calls)
        text = msgspec.json.encode(written).decode()
        with within(0.1 * max(1, len(text) / MILLION)):
            step = world.step(middle, {SERVER: decision})
            read = world.parse(middle, SERVER, text)
        assert [refusal.code for refusal in step.refusals] == ["no_report"] == [read.code], name  # type: ignore[union-attr]


def test_garbled_reports_are_refused_in_a_line() -> None:
    world, draw = yard(live=True), random.Random(1)
    middle = world.step(world.start(), {DISPATCHER: Calls(())}).state
    text = '{"ticks": 104, "calls": [{"bot": "alex", "ticks": 9}], "furnace": {"input": ["beef", 1]}}'
    for _ in range(400):
        place = draw.randrange(len(text))
        garbled = text[:place] + draw.choice('{}[]",:9ax\\\x00\ud800') + text[place + draw.randrange(3) :]
        step = world.step(middle, {SERVER: world.parse(middle, SERVER, garbled)})
        told = world.describe(world.observe(step.state, SERVER)).splitlines()[0]
        assert len(told) < 300 and told.isprintable()
