"""A person says in words what is to be done; scripted people stand in for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Event
from backburner.worlds.dispatch.instructor import LONGEST
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game import Calls, Limits
from backburner.worlds.minecraft.game.actions import SILENCE, SPEAKER
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR
from support.minecraft.play import DISPATCHER, yard

WORLD = yard(instructor=True, limits=Limits(steps=6))


class Person:
    """Says what it is told to say, a line for each step."""

    name, informed = "person", False
    settings: Mapping[str, Any] = {}

    def __init__(self, *lines: str) -> None:
        self.lines = lines

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        number = turn.observation.step
        return Reply(self.lines[number] if number < len(self.lines) else "keep")


class Obedient:
    """Does what was said where it is a call, and nothing otherwise, as models are told to."""

    name, informed = "obedient", False
    settings: Mapping[str, Any] = {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        said = turn.observation.instruction
        return Reply(Calls((said,) if said else ()))


def test_words_hold_until_others_are_said_or_they_are_taken_back() -> None:
    state = WORLD.start()
    assert WORLD.deciders(state) == (INSTRUCTOR,)
    told = WORLD.step(state, {INSTRUCTOR: Calls((), "Alex, to the\nlog!")})
    assert told.events == (Event(0.0, "said", INSTRUCTOR, "Alex, to the log!"),)
    assert told.state.ticks == 0 and WORLD.deciders(told.state) == (DISPATCHER,)
    assert "The person says: Alex, to the log!" in WORLD.describe(WORLD.observe(told.state, DISPATCHER))
    after = WORLD.step(told.state, {DISPATCHER: Calls(())}).state
    kept = WORLD.step(after, {INSTRUCTOR: SILENCE}).state
    assert "has said, and it holds: Alex" in WORLD.describe(WORLD.observe(kept, DISPATCHER))
    next_step = WORLD.step(kept, {DISPATCHER: Calls(())}).state
    other = WORLD.step(next_step, {INSTRUCTOR: Calls((), "Cook.")}).state
    text = WORLD.describe(WORLD.observe(other, DISPATCHER))
    assert "Said before: Alex, to the log!" in text and "The person says: Cook." in text
    revoked = WORLD.step(WORLD.step(other, {DISPATCHER: Calls(())}).state, {INSTRUCTOR: SPEAKER.back}).state
    assert "The person" not in WORLD.describe(WORLD.observe(revoked, DISPATCHER))


def test_what_workers_are_told() -> None:
    briefing = WORLD.briefing(DISPATCHER)
    for told in ("Follow them before anything else", "nobody does anything", "leave it to them"):
        assert told in briefing
    assert "Follow them" not in yard().briefing(DISPATCHER)


def test_too_much_and_calls_are_refused_and_heard_by_nobody() -> None:
    state = WORLD.start()
    for said in (Calls((), "x" * (LONGEST + 1)), Calls(("goto(alex, chicken)",)), None):
        step = WORLD.step(state, {INSTRUCTOR: said})
        assert [refusal.seat for refusal in step.refusals] == [INSTRUCTOR] and step.events == ()
        assert WORLD.observe(step.state, DISPATCHER).instruction == ""
        assert WORLD.observe(step.state, INSTRUCTOR).refusals


def test_a_scripted_person_leads_an_obedient_dispatcher() -> None:
    people = {INSTRUCTOR: Person("", "goto(steve, oak_log)", "say: mineBlock(steve, oak_log)", "revoke")}
    episode = play_now(WORLD, {**people, DISPATCHER: Obedient()})
    moved = [event.label for event in episode.events() if event.what == "start" and event.lane == "steve"]
    assert moved == ["goto oak_log", "mineBlock oak_log"]


def test_a_scripted_dispatcher_heeds_no_words_and_keeps_silent_as_instructor() -> None:
    episode = play_now(WORLD, GreedyDispatcher(WORLD))
    assert not [event for event in episode.events() if event.what == "said"]


def test_only_so_many_words_are_heard_on_a_clock() -> None:
    """Three words are said in the first step, one more may be in the second, and none in the third. A word
    takes two seconds, so the second instruction comes 6 seconds after the first."""
    assert WORLD.talks(INSTRUCTOR) and not WORLD.talks(DISPATCHER)
    assert WORLD.shortened(Calls((), "a\u200bb c"), 2) == Calls((), "a b")
    assert WORLD.shortened(Calls((), "a b"), 0) == SILENCE == WORLD.shortened(SPEAKER.back, 0)
    assert WORLD.shortened(SPEAKER.back, 1) == SPEAKER.back
    assert WORLD.shortened(Calls(("goto(alex, log)",)), 0) == Calls(("goto(alex, log)",))
    clock = Timing(mode="latency", speech="2", talk_words=4).bound(WORLD)
    person = Person("Alex, be quick!", "say: Run, run!", "Now!")
    episode = play_now(WORLD, {INSTRUCTOR: person, DISPATCHER: Obedient()}, clock=clock)
    said = [event for entry in episode.entries for event in entry.events if event.what == "said"]
    assert [event.label for event in said] == ["Alex, be quick!", "Run,"]
    assert said[1].time - said[0].time >= 6
    assert check(episode, WORLD) == len(episode.entries)
