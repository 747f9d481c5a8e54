"""While the cook thinks: the clock moves, lags may break, and what it has planned comes later as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy, Policy
from backburner.kernel.testing import ContractViolation, check_world
from backburner.kernel.values import Refusal, Step, canonical_json
from backburner.worlds.recipe2plan.agents.planned import PutOff, StepByStep, greedy, one_by_one
from backburner.worlds.recipe2plan.game import Cook, Limits, Piece, Recipe2Plan, transition
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.rule_set import article_limits
from backburner.worlds.recipe2plan.game.state import Ended, Kitchen, State
from backburner.worlds.recipe2plan.game.transition import Rulebook, Termination
from backburner.worlds.recipe2plan.metrics.analysis import counts
from backburner.worlds.recipe2plan.metrics.assessment import accepted
from support.recipe2plan.play import SOUP, Game, choices, decision_of, kitchen_of, world_of, worlds

BOIL, CHOP = (1, "Soup", 600, 0), (0, "Soup", 300, 0)
AT_BEST = (BOIL, CHOP, (2, "Soup", 60, 600), (3, "Soup", 120, 660), (4, "Soup", 90, 780))
"""The water boils from 0 to 600; the leek goes into it within 120 s of that. All is done at 870."""

LAGS_END_PLAY = Limits(lag_violation_ends=True)


def soup(rules: str = "standard", limits: Limits | str = "none") -> Recipe2Plan:
    return kitchen_of(SOUP, rules=rules, limits=limits)


def starts(game: Game) -> list[float]:
    return [event.time for event in game.events if event.what == "start" and event.kind == "work"]


# --- overdue starts ----------------------------------------------------------------------------------


def test_a_plan_that_is_overdue_is_moved_as_a_whole() -> None:
    """Thought of until 50, all starts are later by 50. The leek by itself would still go in at 600, when the
    water boils until 650."""
    game = Game(soup()).decide(Cook(silent=50)).cook(*AT_BEST)
    assert starts(game) == [50, 50, 650, 710, 830]
    assert game.ended == "completed" and game.state.kitchen.finish == 870 + 50


@pytest.mark.parametrize(
    ("start", "begun", "refused"),
    [(299, None, "past_time"), (300, 320, ""), (319, 320, ""), (320, 320, ""), (700, 700, "")],
)
def test_only_what_went_by_during_the_thought_is_overdue(start: int, begun: int | None, refused: str) -> None:
    """The cook was asked at 300, with the leek chopped, and thinks until 320."""
    game = Game(soup()).each(BOIL, (0, "Soup", 200, 0))
    game.cook((0, "Soup", 100, 200)).decide(Cook(silent=15)).decide(Cook(silent=5))
    assert (game.clock, game.state.asked) == (320, 300)
    piece = (2, "Soup", 60, start)
    game.cook(piece)
    if refused:
        assert game.refused == refused
        assert (game.refusal.get("start"), game.refusal.get("clock")) == (start, 320)
    else:
        expected = "" if begun is not None and begun >= 600 else "dep_unfinished"
        assert game.refused == expected
        assert (game.refusal.get("finish") == 600) if expected else (starts(game)[-1] == begun)
    assert b"asked" not in canonical_json(game.state)


def test_without_a_thought_a_start_before_now_is_past() -> None:
    game = Game(soup()).each(BOIL, CHOP).cook((2, "Soup", 60, 299))
    assert game.refused == "past_time"
    assert canonical_json(Cook()) == b"{}" and b"silent" not in canonical_json(game.state)


# --- what breaks, and what does not move -------------------------------------------------------------


def silence_to_the_end(world: Recipe2Plan, every: int) -> tuple[int, str]:
    """Water and leek, then silence until play is over, or 1000 is: when, and how it ended."""
    game = Game(world).each(BOIL, CHOP)
    while not game.ended and game.clock < 1000:
        game.decide(Cook(silent=min(every, 1000 - game.clock)))
    return game.clock, game.ended


@pytest.mark.parametrize("every", [1, 60, 1000])
def test_a_lag_breaks_during_a_thought(every: int) -> None:
    """The water boils at 600; the leek is in time until 720, so at 721 it is too late."""
    assert silence_to_the_end(soup(limits=LAGS_END_PLAY), every) == (721, "time_constraint")
    assert silence_to_the_end(soup(limits="none"), every) == (1000, "")
    assert silence_to_the_end(soup("released", LAGS_END_PLAY), every) == (1000, "")  # nobody notices


@pytest.mark.parametrize("every", [1, 60, 1000])
def test_time_is_up_during_a_thought(every: int) -> None:
    """At 650, before the lag breaks at 721; or after that."""
    assert silence_to_the_end(soup(limits=replace(LAGS_END_PLAY, seconds=650)), every) == (650, "time_limit")
    late = replace(LAGS_END_PLAY, seconds=721)
    assert silence_to_the_end(soup(limits=late), every) == (721, "time_constraint")


def test_what_runs_ends_and_the_feedback_stays() -> None:
    game = Game(soup()).each(BOIL, CHOP)
    before = game.state
    game.decide(Cook(silent=300))
    assert [(event.time, event.what, event.label) for event in game.last.events] == [(600, "end", "Soup 1")]
    assert replace(game.state, kitchen=before.kitchen, asked=before.asked) == before


def test_a_thought_is_no_turn_and_forgives_no_failure() -> None:
    """The same refusal three times in a row ends play, whatever is thought between."""
    game = Game(soup(limits=article_limits(5)))
    for _ in range(3):
        game.decide(Cook(silent=7)).say("I am not sure.")
    assert game.ended == "stuck" and (game.state.turns, game.clock) == (3, 21)


@settings(max_examples=60)
@given(worlds(), choices, st.integers(1, 400), st.integers(1, 400))
def test_silences_add_up(world: Recipe2Plan, numbers: list[int], some: int, more: int) -> None:
    state = world.start()
    for number in numbers[:15]:
        if world.deciders(state):
            state = world.step(state, {COOK: decision_of(world, state, number)}).state
    first = world.step(state, {COOK: Cook(silent=some)})
    second = world.step(first.state, {COOK: Cook(silent=more)})
    whole = world.step(state, {COOK: Cook(silent=some + more)})
    assert whole == Step(second.state, first.events + second.events)


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("path", ["Vada+Tacos@knowledge=beliefs", "Cobbler+Pancakes@hints=on"])
def test_the_kit_finds_nothing(path: str, rules: str) -> None:
    checked = check_world(world_of(path, rules, "article"), episodes=2)
    assert checked.ran["silences_add_up"] and checked.ran["silence_forgives_nothing"]


# --- planted faults ----------------------------------------------------------------------------------


class NoticesNoLag(Termination):
    def silence(self, kitchen: Kitchen, until: int) -> tuple[int, Ended]:
        return until, ""


class TakesATurn(Rulebook):
    def step(self, state: State, decision: Cook | Refusal | None) -> Step[State]:
        step = super().step(state, decision)
        silent = isinstance(decision, Cook) and decision.silent
        return replace(step, state=replace(step.state, turns=step.state.turns + 1)) if silent else step


class ReadsSilence(Recipe2Plan):
    def parse(self, state: State, seat: str, answer: str) -> Cook | Refusal:
        return Cook(silent=1) if answer == "(silent for 1 s)" else super().parse(state, seat, answer)


def test_an_unnoticed_lag_is_noticed() -> None:
    world = soup(limits=LAGS_END_PLAY)
    world.rulebook.termination = NoticesNoLag(world.compiled, world.rules, world.limits)
    assert silence_to_the_end(world, 60) == (1000, "")


def test_starts_that_are_moved_one_by_one_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def each(decision: Cook, asked: int, clock: int) -> Cook:
        return Cook(tuple(replace(piece, start=max(piece.start, clock)) for piece in decision.actions))

    monkeypatch.setattr(transition, "in_time", each)
    game = Game(soup()).decide(Cook(silent=50)).cook(*AT_BEST)
    assert game.refused == "dep_unfinished"


def test_the_kit_notices_a_turn_and_a_text() -> None:
    world = soup(limits="article")
    world.rulebook = TakesATurn(world.compiled, world.rules, world.limits)
    with pytest.raises(ContractViolation) as turn:
        check_world(world)
    with pytest.raises(ContractViolation) as text:
        check_world(ReadsSilence(world.id, world.scenario, world.rules, world.limits))
    assert turn.value.check in ("silences_add_up", "silence_leaves_the_rest_as_it_is")
    assert text.value.check == "silence_is_a_decision_of_its_own"


# --- under a clock -----------------------------------------------------------------------------------


def played(world: Recipe2Plan, policy: Policy, seconds: int) -> Episode:
    """With a thought of so many seconds before each decision."""
    latency = {COOK: str(seconds)}
    policy.settings = {**policy.settings, "latency": latency[COOK]}
    episode = play_now(world, policy, clock=Timing("latency").bound(world, latency))
    check(episode, world=world)
    return episode


def ends(make: Callable[[Recipe2Plan], Policy], seconds: int, pairs: int) -> Counter[str]:
    """How the first constrained pairs end."""
    ids = registry.expand("recipe2plan/constrained")[:pairs]
    worlds = (registry.world(id, limits="article") for id in ids)
    episodes = [played(world, make(world), seconds) for world in worlds]
    return Counter(episode.ending.reason for episode in episodes if episode.ending is not None)


@pytest.mark.parametrize(("seconds", "completed"), [(5, 18), (30, 15), (60, 12), (120, 0)])
def test_step_by_step_the_lags_are_what_thinking_costs(seconds: int, completed: int) -> None:
    """Of the 65 pairs all are completed without a thought; nothing is refused."""
    ended = ends(StepByStep, seconds, 65)
    assert (ended["completed"], ended["time_constraint"]) == (completed, 65 - completed)


def test_a_whole_plan_is_one_thought() -> None:
    assert ends(greedy, 300, 12) == {"completed": 12}


def test_a_plan_in_steps_is_put_off_by_what_each_thought_takes() -> None:
    """Ten seconds a step. Water 0 > 10, leek 0 > 20 (until 320), in at 600 > 620 (until 680), left to stand
    660 > 690 (until 810), seasoned 780 > 810 (until 900)."""
    plan = one_by_one([Cook(tuple(Piece(*piece) for piece in AT_BEST))])
    episode = played(soup(), PutOff("in steps", plan, soup()), 10)
    assert [piece.start for piece in accepted(episode)] == [10, 20, 620, 690, 810]
    assert episode.ending is not None and episode.ending.numbers["seconds"] == 900
    assert played(soup(), PlanPolicy("fixed", plan, informed=True), 10).entries[3].refusals  # 0 is past


def test_a_plan_after_a_statement_of_beliefs_is_put_off() -> None:
    """The statement costs a thought of 30 s, so does the plan: it begins at 60."""
    world = registry.world("recipe2plan/Vada+Tacos@knowledge=beliefs", limits="article")
    assert isinstance(world, Recipe2Plan)
    episode = played(world, greedy(world), 30)
    assert accepted(episode)[0].start == 60 and [entry.refusals for entry in episode.entries] == [()] * 4


def test_measures_take_the_starts_that_were() -> None:
    world = registry.world("recipe2plan/Vada+Tacos", limits="article")
    assert isinstance(world, Recipe2Plan)
    late, prompt = (played(world, greedy(world), seconds) for seconds in (30, 0))
    shifted = [piece.start - 30 for piece in accepted(late)]
    assert shifted == [piece.start for piece in accepted(prompt)]
    assert counts(late) == counts(prompt)
