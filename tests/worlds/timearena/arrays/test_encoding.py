"""TimeArena in numbers: the menu as a mask, what was told as features, and a bound on what can be reached."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.worlds.timearena.arrays.encoding import TimeArenaEncoding, encoding
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.catalogue import known_optimum
from backburner.worlds.timearena.game.state import QUIT, WAIT, Act, State
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import Game, choices, walk, world_of, worlds
from support.timearena.small_tasks import Doing, doings, search_everything, small_world

some = settings(max_examples=120)


def told(numbers: TimeArenaEncoding, state: State) -> dict[str, float]:
    """The features by their names, those that are 0 left out."""
    named = zip(numbers.feature_names, numbers.features(state, AGENT)[0], strict=True)
    return {name: value for name, value in named if value}


def after(world: TimeArena, *texts: str) -> State:
    """The state after these answers."""
    state = world.start()
    for text in texts:
        state = world.step(state, {AGENT: world.parse(state, AGENT, text)}).state
    return state


@some
@given(worlds(), choices)
def test_the_mask_is_the_menu(world: TimeArena, picks: list[int]) -> None:
    numbers = encoding(world)
    for before, _, step in walk(world, picks):
        for state in (before, step.state):
            (mask,) = numbers.mask(state, AGENT)
            assert len(mask) == len(numbers.actions)
            allowed = [numbers.decision(state, AGENT, [code]) for code, ok in enumerate(mask) if ok]
            menu = [] if state.ended else [option.decision for option in world.menu(state, AGENT).options]
            assert allowed == [WAIT, *(decision for decision in menu if decision != WAIT)]


@some
@given(worlds(), choices)
def test_features_have_their_names_and_lie_between_0_and_1(world: TimeArena, picks: list[int]) -> None:
    numbers = encoding(world)
    assert len(set(numbers.feature_names)) == len(numbers.feature_names)
    assert len(set(numbers.actions)) == len(numbers.actions)
    for turn in walk(world, picks):
        (features,) = numbers.features(turn.step.state, AGENT)
        assert len(features) == len(numbers.feature_names)
        assert all(0 <= value <= 1 for value in features)


@pytest.mark.parametrize("rules", ["standard", "released", "released-reflexion"])
def test_each_code_that_the_mask_forbids_is_refused_and_no_other(rules: str) -> None:
    world = world_of("cooking2+cooking3", rules, "article")
    numbers, random = encoding(world), Random(3)
    for _ in range(20):
        state = world.start()
        while world.deciders(state):
            (mask,) = numbers.mask(state, AGENT)
            for code, ok in enumerate(mask):
                decision = numbers.decision(state, AGENT, [code])
                assert bool(world.step(state, {AGENT: decision}).refusals) == (not ok)
            codes = [code for code, ok in enumerate(mask) if ok]
            code = random.choice(codes) if random.random() < 0.8 else random.randrange(len(mask))
            state = world.step(state, {AGENT: numbers.decision(state, AGENT, [code])}).state


def test_what_was_told_is_a_number() -> None:
    """The rice is picked (2 minutes) and cooks from minute 2 to 6; what is refused costs a minute.

    At minute 4 of 40, 2 minutes are left of it: 0.2 of 10. One refusal of five in a row: 0.2.
    """
    world = world_of("cooking1", limits="article")
    numbers = encoding(world)
    assert told(numbers, world.start()) == {}
    assert told(numbers, after(world, "pick rice", "cook rice in pot", "add rice to dish")) == {
        "minute": 0.1,
        "errors in a row": 0.2,
        "refused: object_occupied": 1,
        "finished: pick rice": 1,
        "minutes left: cook in rice": 0.2,
        "in use: rice": 1,
        "in use: pot": 1,
    }


@some
@given(st.randoms(use_true_random=False))
def test_nothing_is_told_of_what_was_not_started(random: Random) -> None:
    """Play goes alike in a world where all that is never started takes longer; so do the features."""
    world = world_of("cooking1+cooking4", limits="article")
    decisions = []
    state, started = world.start(), set[str]()
    for _ in range(random.randint(1, 12)):
        options = world.menu(state, AGENT).options
        decisions.append(random.choice(options).decision)
        if isinstance(decisions[-1], Act):
            started.add(f"{decisions[-1].verb} {world.compiled.item[decisions[-1].first].base}")
        state = world.step(state, {AGENT: decisions[-1]}).state
    other = _slower(world, started)
    numbers, others = encoding(world), encoding(other)
    one, two = world.start(), other.start()
    for decision in decisions:
        one, two = (w.step(s, {AGENT: decision}).state for w, s in ((world, one), (other, two)))
        assert numbers.features(one, AGENT) == others.features(two, AGENT)
    assert other.compiled.total_minutes > world.compiled.total_minutes


def _slower(world: TimeArena, started: set[str]) -> TimeArena:
    """The same tasks, where everything else takes three minutes more."""
    scenario = msgspec.to_builtins(world.scenario)
    for task in scenario["tasks"]:
        for thing in task["things"]:
            for role in thing["roles"]:
                if role["slot"] != 2 and f"{role['verb']} {thing['name']}" not in started:
                    role["minutes"] += 3
    slower = msgspec.convert(scenario, type(world.scenario))
    return TimeArena(world.id, slower, world.rules, world.limits)


# --- score and bound -------------------------------------------------------------------------------------


def test_the_score_is_the_progress_and_once_complete_the_time_that_is_left() -> None:
    """Of 4 minutes one is done: 0.25. All of it at minute 5 of 20: 1 and three quarters of the time."""
    world = small_world([Doing("wash", "rice"), Doing("heat", "beef", minutes=3)], limits=Limits(minutes=20))
    numbers = encoding(world)
    game = [world.start()]
    for text in ("wash rice", "heat beef", "wait", "wait"):
        game.append(world.step(game[-1], {AGENT: world.parse(game[-1], AGENT, text)}).state)
    assert [numbers.score(state) for state in game] == [0, 0.25, 0.25, 0.25, 1 + 16 / 20]
    # heat beef first would have taken 3 minutes: 1 + 17 / 20 was possible at first, 16 / 20 from minute 1 on
    assert [numbers.score(state) + numbers.potential(state) for state in game] == pytest.approx(
        [1 + 17 / 20, *[1 + 16 / 20] * 4]
    )


def test_without_a_limit_the_time_is_counted_by_the_articles() -> None:
    world = small_world([Doing("wash", "rice", minutes=4)])
    assert encoding(world).score(after(world, "wash rice")) == 1 + 36 / 40
    late = after(world, *["wait"] * 60, "wash rice")
    assert encoding(world).score(late) == 1


@settings(max_examples=60)
@given(st.lists(doings(), min_size=1, max_size=2), st.integers(3, 14))
def test_no_play_beats_the_bound(tasks: list[list[Doing]], minutes: int) -> None:
    """All states of small tasks: what is still reached by the best play is at most what the bound says."""
    world = small_world(*tasks, limits=Limits(minutes=minutes))
    numbers = encoding(world)
    best: dict[State, float] = {}

    def best_score(state: State) -> float:
        state = replace(state, feedback=world.start().feedback, reports=())
        if state not in best:
            options = () if state.ended else world.menu(state, AGENT).options
            nexts = [world.step(state, {AGENT: option.decision}).state for option in options]
            best[state] = max(map(best_score, nexts), default=numbers.score(state))
            assert best[state] <= numbers.score(state) + numbers.potential(state) + 1e-9
        return best[state]

    shortest = search_everything(world).minutes
    found = best_score(world.start())
    if shortest is None:
        assert found < 1
    else:
        assert found == pytest.approx(2 - shortest / minutes)


@some
@given(worlds(), choices)
def test_no_later_score_of_any_play_beats_the_bound(world: TimeArena, picks: list[int]) -> None:
    """Under all rules and limits, whatever is said."""
    numbers = encoding(world)
    bound = numbers.potential(world.start())
    for _, _, step in walk(world, picks):
        assert numbers.score(step.state) <= bound + 1e-9
        bound = min(bound, numbers.score(step.state) + numbers.potential(step.state))
        assert not step.state.ended or numbers.potential(step.state) == 0


def test_the_bound_holds_for_the_proven_optima_and_is_mostly_one() -> None:
    exact = 0
    for id in registry.expand("timearena/all"):
        world = registry.world(id)
        optimum = known_optimum(id)
        assert isinstance(world, TimeArena) and optimum is not None
        left = encoding(world).outlook.minutes_left(world.start())
        assert left <= optimum.minutes
        exact += left == optimum.minutes
    assert exact == 73


def test_what_the_released_lists_shut_out_is_not_hoped_for() -> None:
    """cooking2+cooking3: mushroom and shrimp can go nowhere, so the tasks cannot be completed."""
    numbers = encoding(world_of("cooking2+cooking3", "released", "article"))
    assert numbers.potential(numbers.world.start()) < 1
    numbers = encoding(world_of("cooking2+cooking3", "standard", "article"))
    assert numbers.potential(numbers.world.start()) > 1


def test_giving_up_is_no_code_and_leaves_the_score() -> None:
    world = world_of("cooking1")
    numbers = encoding(world)
    state = world.step(world.start(), {AGENT: QUIT}).state
    assert numbers.score(state) == 0 == numbers.potential(state)
    assert numbers.mask(state, AGENT) == ((True, *[False] * (len(numbers.actions) - 1)),)


def test_the_released_loops_second_try_is_told() -> None:
    game = Game("cooking1", "released-reflexion", "article").say("chop beef")
    numbers = encoding(game.world)
    names = told(numbers, game.state)
    assert names["something else is wanted"] == 1
    assert [name for name in names if name.startswith("to be repeated")] == ["to be repeated: chop beef"]


def test_a_scenario_file_has_numbers_too() -> None:
    world = small_world([Doing("wash", "rice", minutes=30)])
    assert encoding(world).actions == ("wait", "wash rice")
    assert told(encoding(world), after(world, "wash rice")) == {"minute": 0.75, "finished: wash rice": 1}
