"""While the agent thinks: time passes, what is reported is told later, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy
from backburner.kernel.registry import expand
from backburner.kernel.registry import world as any_world
from backburner.kernel.replay import final_state
from backburner.kernel.testing import ContractViolation, check_world
from backburner.kernel.values import Refusal, Seat, Step, canonical_json
from backburner.worlds.timearena.game import Decision, Limits, Silence, TimeArena
from backburner.worlds.timearena.game.state import WAIT, State
from backburner.worlds.timearena.game.transition import AGENT, Rulebook
from backburner.worlds.timearena.metrics.analysis import ACTION_TYPES, SILENT, action_types, waits
from backburner.worlds.timearena.metrics.score import scoring
from backburner.worlds.timearena.oracle.greedy import greedy
from support.timearena.play import Game, choices, decision_of, paths, world_of, worlds


def silent(game: Game, minutes: int) -> Game:
    return game.decide(Silence(minutes))


def told(game: Game) -> str:
    return game.world.describe(game.world.observe(game.state, AGENT))


# --- reports -----------------------------------------------------------------------------------------


def test_what_is_reported_during_a_thought_is_told_with_the_next_decision_and_once() -> None:
    """The radio is activated at 0 and done at 7, in the thought from 1 to 8; folding the quilt ends at 11."""
    game = Game("household9").say("activate radio")
    before = told(game)
    silent(game, 7)
    assert told(game) == before.replace("Minute 1.", "Minute 8.")
    game.say("fold quilt")
    assert game.state.reports == (("radio", "done"), ("quilt", "tidy")) and game.state.minute == 11
    assert silent(game, 1).say("find newspaper").state.reports == (("newspaper", "found"),)


@pytest.mark.parametrize("answer", ["fly to the moon", "wait", "quit"])
def test_whatever_is_decided_then_the_reports_are_told(answer: str) -> None:
    game = silent(Game("household9").say("activate radio"), 7).say(answer)
    assert game.reports == {("radio", "done")}
    assert b"untold" not in canonical_json(game.state)


def test_without_a_silence_states_and_decisions_are_written_as_they_were() -> None:
    game = Game("household9").say("activate radio", "wait")
    assert b"untold" not in canonical_json(game.state)
    assert canonical_json(WAIT) == b'{"do":"wait"}'
    assert canonical_json(Silence(2)) == b'{"do":"silence","minutes":2}'


def never_told(world: TimeArena, numbers: list[int], thought: int) -> set[tuple[str, str]]:
    """What ends in a random play, with a thought before each decision, and is neither told nor kept to be."""
    state, known = world.start(), set[tuple[str, str]]()
    for number in numbers:
        for decision in (Silence(thought), decision_of(world, state, number)):
            state = world.step(state, {AGENT: decision}).state
        told = state.driver.told if state.driver else ()
        known |= {
            report for reports in (state.reports, *(each.reports for each in told)) for report in reports
        }
    known |= set(state.untold or ())
    for running in state.running:  # a second try may have it ended and not noticed yet
        known |= set(world.rulebook.legality.attempts[running.act].report)
    after = (role for role in world.compiled.roles if role.bit & state.finished)
    return {(role.item.name, role.role.after or "") for role in after} - known


@settings(max_examples=60)
@given(paths(), st.sampled_from(["standard", "released", "released-reflexion"]), choices, st.integers(1, 4))
def test_whatever_ends_is_told(path: str, rules: str, numbers: list[int], thought: int) -> None:
    assert not never_told(world_of(path, rules), numbers, thought)


@given(worlds(), choices, st.integers(1, 9), st.integers(1, 9))
def test_silences_add_up(world: TimeArena, numbers: list[int], some: int, more: int) -> None:
    state = world.start()
    for number in numbers[:20]:
        state = world.step(state, {AGENT: decision_of(world, state, number)}).state
    first = world.step(state, {AGENT: Silence(some)})
    second = world.step(first.state, {AGENT: Silence(more)})
    whole = world.step(state, {AGENT: Silence(some + more)})
    assert whole == Step(second.state, first.events + second.events)


# --- limits ------------------------------------------------------------------------------------------


def play_nonsense(thought: Decision) -> tuple[int, int, str]:
    """(answers, minute, end) of a pair under the article's limits: 80 minutes, 5 errors in a row."""
    game, answers = Game("cooking1+cooking2", limits="article"), 0
    while not game.state.ended:
        if not game.decide(thought).state.ended:
            game.say("sing a song")
            answers += 1
    return answers, game.state.minute, game.state.ended


def test_a_thought_of_a_minute_forgives_no_error() -> None:
    """Five answers, each after a minute and for a minute, end it at 10; a wait would forgive each."""
    assert play_nonsense(Silence(1)) == (5, 10, "error_limit")
    assert play_nonsense(WAIT) == (40, 80, "time_limit")


def test_the_time_limit_falls_into_a_thought() -> None:
    game = silent(Game("household9", limits=Limits(minutes=5)).say("activate radio"), 30)
    assert (game.state.minute, game.state.ended) == (5, "time_limit")
    assert [(event.time, event.what) for event in game.last.events] == [(5, "pause")]


def test_what_ends_during_a_thought_may_complete_all() -> None:
    """lab1: washed 0-4, added 4-8, heated from 8 to 13. It may end in a thought that goes on."""
    game = silent(Game("lab1").say("wash test_tube", "add solution to test_tube", "heat test_tube"), 9)
    assert (game.state.minute, game.state.ended, game.state.score) == (13, "completed", 100)
    assert game.scores[-1] == (13, 100) and game.world.outcome(game.state).numbers["completed"] == 1


# --- released rules ----------------------------------------------------------------------------------


def test_what_a_refusal_has_left_uncredited_waits_for_a_decision() -> None:
    """The radio ends at 7, in the minute of a refusal for mismatched things; no thought credits it."""
    game = Game("household9", "released").say("activate radio", *["wait"] * 5, "fold newspaper")
    assert (game.refused, game.state.minute, game.state.earned, game.state.score) == ("mismatch", 7, 7, 0)
    assert silent(game, 3).state.score == 0 and not game.last.events
    assert game.say("wait").state.score == 38  # 7 of 18 minutes


def test_what_stood_still_for_a_malformed_answer_stays_behind() -> None:
    """The minute that *sing* costs is lost to the radio: begun at 0, it ends at 8, in a thought."""
    game = silent(Game("household9", "released").say("activate radio", "sing"), 7)
    assert [(event.time, event.what) for event in game.last.events] == [(8, "end"), (8, "score")]
    assert game.state.lost_minutes == 1 and game.state.untold == (("radio", "done"),)


def test_completed_during_a_thought_after_a_malformed_answer() -> None:
    game = Game("lab1", "released").say(
        "wash test_tube", "add solution to test_tube", "heat test_tube", "sing"
    )
    silent(game, 9)
    assert (game.state.minute, game.state.ended) == (14, "completed")
    assert game.world.outcome(game.state).numbers["completed"] == 1


def test_a_thought_is_no_second_try() -> None:
    """Refused at 1, thought until 4, replaced in the minute from 4 to 5."""
    game = Game("household9", "released-reflexion").say("activate radio", "read newspaper")
    asked = game.state.driver
    silent(game, 3)
    assert game.state.driver == asked and game.state.minute == 4
    game.say("find newspaper")
    assert game.state.minute == 5 and game.state.errors_in_a_row == 0


@pytest.mark.parametrize("path", ["cooking1", "household4+household9", "lab1+lab2", "cooking2@kit=one"])
@pytest.mark.parametrize("rules", ["standard", "released", "released-reflexion"])
def test_the_kit_finds_nothing(path: str, rules: str) -> None:
    assert check_world(world_of(path, rules, "article"), episodes=2).ran["silence_forgives_nothing"]


# --- planted faults ----------------------------------------------------------------------------------


class LosesReports(Rulebook):
    def let_pass(self, state: State, minutes: int) -> Step[State]:
        step = super().let_pass(state, minutes)
        return replace_state(step, untold=())


class ForgivesErrors(Rulebook):
    def let_pass(self, state: State, minutes: int) -> Step[State]:
        return replace_state(super().let_pass(state, minutes), errors_in_a_row=0)


class StandsStill(Rulebook):
    def let_pass(self, state: State, minutes: int) -> Step[State]:
        return replace_state(super().let_pass(state, minutes), running=state.running)


class GoesOnWithoutEnd(Rulebook):
    def let_pass(self, state: State, minutes: int) -> Step[State]:
        return replace_state(super().let_pass(state, minutes), ended="")


def replace_state(step: Step[State], **changes: object) -> Step[State]:
    return replace(step, state=replace(step.state, **changes))


class ReadsSilence(TimeArena):
    def parse(self, state: State, seat: Seat, answer: str) -> Decision | Refusal:
        return Silence(1) if answer == "(silent for 1 min)" else super().parse(state, seat, answer)


class PassesAsAWait(TimeArena):
    def silence(self, state: State, seat: Seat, ticks: int) -> Decision:
        return WAIT


def planted(fault: type[Rulebook] | type[TimeArena], path: str = "cooking1") -> TimeArena:
    sound = world_of(path, limits="article")
    if issubclass(fault, TimeArena):
        return fault(sound.id, sound.scenario, sound.rules, sound.limits)
    sound.rulebook = fault(sound.rulebook.legality, sound.limits)
    return sound


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (ForgivesErrors, "silence_forgives_nothing"),
        (StandsStill, "silences_add_up"),
        (GoesOnWithoutEnd, "silence_breaks_what_time_breaks"),
        (ReadsSilence, "silence_is_a_decision_of_its_own"),
        (PassesAsAWait, "silence_is_a_decision_of_its_own"),
    ],
)
def test_a_planted_fault_is_noticed(fault: type[Rulebook] | type[TimeArena], check: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_world(planted(fault))
    assert caught.value.check == check


def test_lost_reports_are_noticed() -> None:
    """The radio is activated at 7 and done at 14, in the thought from 8 to 15."""
    numbers = [0] * 12  # each time what stands first on the menu
    assert never_told(planted(LosesReports, "household9"), numbers, 7) == {("radio", "done")}
    assert not never_told(world_of("household9"), numbers, 7)


# --- under a clock -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "minutes", "completed"),
    [("6", 28.7, 30), ("15", 30.7, 30), ("30", 34.4, 30), ("60", 41.4, 30), ("240", 71.0, 17)],
)
def test_what_a_thought_takes_is_carried_to_the_next(seconds: str, minutes: float, completed: int) -> None:
    """The 30 pairs with greedy, which need 27.7 minutes without a thought. Were each thought rounded up to a
    minute, all but the longest would cost 41.4."""
    ended = []
    for id in expand("timearena/pairs"):
        world = any_world(id, limits="article")
        policy = greedy(world)
        policy.settings = {"latency": seconds}
        episode = play_now(world, policy, clock=Timing("latency").bound(world, {AGENT: seconds}))
        check(episode, world=world)
        ended.append(world.outcome(final_state(episode, world)).numbers)
    assert round(sum(numbers["minutes"] for numbers in ended) / 30, 1) == minutes
    assert sum(numbers["completed"] for numbers in ended) == completed


# --- records -----------------------------------------------------------------------------------------


def test_measures_count_decisions_and_no_thoughts() -> None:
    """household9: radio 0-7; newspaper found 2-5, read 5-10, quilt folded 10-13; refused once at 1."""
    said = ["activate radio", "read newspaper", "find newspaper", Silence(2), "wait", "read newspaper"]
    episode = play_now(
        world_of("household9", limits="article"),
        PlanPolicy("plan", [*said, Silence(1), "fold quilt"], informed=False),
    )
    world = world_of("household9", limits="article")
    types = list(action_types(episode, world))
    assert types.count(SILENT) == 2 and len(types) == len(episode.entries) == 8
    measures = scoring.measure(episode)
    assert measures["decisions"] == 6 == sum(measures[name] for name in ACTION_TYPES)
    assert measures["P"] == 100 and measures["T"] == 17
    assert list(waits(episode)) == [("unnecessary wait", "")]
