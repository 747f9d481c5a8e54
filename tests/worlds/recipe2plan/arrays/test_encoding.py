"""Recipe2Plan in numbers: the menu as a mask, what was told as features, a bound on what can be reached."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.worlds.recipe2plan.arrays.encoding import NOTHING, Recipe2PlanEncoding, encoding
from backburner.worlds.recipe2plan.game import Cook, Limits, Piece, Recipe, Recipe2Plan, Rules
from backburner.worlds.recipe2plan.game.catalogue import known_optimum
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.state import FINISH, State
from backburner.worlds.recipe2plan.metrics.plans import efficiency
from support.recipe2plan.play import SOUP, choices, kitchen_of, walk, world_of, worlds
from support.recipe2plan.small_recipes import best_by_trying, kitchens

some = settings(max_examples=120)


def told(numbers: Recipe2PlanEncoding, state: State) -> dict[str, float]:
    """The features by their names, those that are 0 left out."""
    named = zip(numbers.feature_names, numbers.features(state, COOK)[0], strict=True)
    return {name: value for name, value in named if value}


def after(world: Recipe2Plan, *pieces: Piece) -> State:
    """The state after these actions."""
    state = world.start()
    for piece in pieces:
        state = world.step(state, {COOK: Cook((piece,))}).state
    return state


@some
@given(worlds(), choices)
def test_the_mask_has_all_of_the_menu_and_pieces_besides(world: Recipe2Plan, picks: list[int]) -> None:
    numbers, jobs = encoding(world), len(world.compiled.jobs)
    for before, _, step in walk(world, picks):
        for state in (before, step.state):
            (mask,) = numbers.mask(state, COOK)
            assert len(mask) == len(numbers.actions)
            menu_codes = [code for code, ok in enumerate(mask[: 2 + 2 * jobs]) if ok]
            allowed = {numbers.decision(state, COOK, [code]) for code in menu_codes}
            menu = {option.decision for option in world.menu(state, COOK).options}
            assert allowed == (menu if not state.ended else {NOTHING})


@some
@given(worlds(), choices)
def test_each_code_that_the_mask_forbids_is_refused_and_no_other(
    world: Recipe2Plan, picks: list[int]
) -> None:
    """To finish is a matter of its own: whoever does it with steps left gives up."""
    numbers = encoding(world)
    for state, _, _ in walk(world, picks[:9]):
        for code, ok in enumerate(numbers.mask(state, COOK)[0]):
            step = world.step(state, {COOK: numbers.decision(state, COOK, [code])})
            assert bool(step.refusals) == (not ok) or code == 1


@some
@given(worlds(), choices)
def test_features_have_their_names_and_lie_between_minus_1_and_1(
    world: Recipe2Plan, picks: list[int]
) -> None:
    numbers = encoding(world)
    assert len(set(numbers.feature_names)) == len(numbers.feature_names)
    assert len(set(numbers.actions)) == len(numbers.actions)
    for turn in walk(world, picks):
        (features,) = numbers.features(turn.step.state, COOK)
        assert len(features) == len(numbers.feature_names)
        assert all(-1 <= value <= 1 for value in features)


def test_what_was_told_is_a_number() -> None:
    """Half of the leek is chopped (150 of 300 s), the stove is in use for 600 s from then on.

    Of 1,170 seconds of steps 150 are over; 2 of 15 turns are; step 0 is half done.
    """
    world = kitchen_of(SOUP, limits="article")
    numbers = encoding(world)
    fresh = {f"left: Soup {number}": 1.0 for number in range(5)}
    fresh |= {"time left: Soup 2 after 1": 1.0, "time left: Soup 4 after 3": 1.0}
    assert told(numbers, world.start()) == fresh
    state = after(world, Piece(0, "Soup", 150, 0), Piece(1, "Soup", 600, 150))
    half = {key: value for key, value in fresh.items() if key != "left: Soup 1"} | {"left: Soup 0": 0.5}
    assert told(numbers, state) == half | {
        "clock": 150 / 1170,
        "turns": 2 / 15,
        "in use: stove": 1,
        "runs for: Soup 1": 1,
    }
    # The water boils at 600; the leek is chopped until 660. Of two minutes in which to add it one is over.
    state = after(world, Piece(1, "Soup", 600, 0), Piece(0, "Soup", 300, 360))
    assert told(numbers, state)["time left: Soup 2 after 1"] == 0.5
    state = world.step(state, {COOK: Cook((Piece(4, "Soup", 90, 660),))}).state
    assert told(numbers, state)["refused: dep_incomplete"] == 1


def test_pieces_last_until_something_has_ended() -> None:
    world = kitchen_of(SOUP)
    numbers = encoding(world)
    code = numbers.actions.index("Soup 0 until something has ended")
    assert numbers.decision(world.start(), COOK, [code]) == NOTHING
    state = after(world, Piece(1, "Soup", 600, 0))
    assert numbers.decision(state, COOK, [code]) == NOTHING  # all of it fits in
    state = replace(state, kitchen=replace(state.kitchen, clock=400))
    assert numbers.decision(state, COOK, [code]) == Cook((Piece(0, "Soup", 200, 400),))
    late = numbers.actions.index("Soup 0 when all that runs has ended")
    assert numbers.decision(state, COOK, [late]) == Cook((Piece(0, "Soup", 300, 600),))


@some
@given(choices)
def test_nothing_is_told_of_what_was_not_started(picks: list[int]) -> None:
    """Play goes alike where what is never started runs by itself, needs nothing and takes no appliance."""
    world = world_of("Tacos+Smore-Bars", limits="article")
    turns = list(walk(world, [pick // 10 * 10 for pick in picks[:12]]))  # nothing but the menu's
    started = {(p.recipe, p.step) for turn in turns for p in turn.decision.actions}
    changed = tuple(
        Recipe(
            recipe.name,
            tuple(
                step
                if (recipe.name, at) in started
                else replace(
                    step,
                    autonomous=True,
                    splittable=False,
                    after=(),
                    appliance=None,
                    needs_fahrenheit=None,
                    sets_fahrenheit=None,
                )
                for at, step in enumerate(recipe.steps)
            ),
        )
        for recipe in world.scenario.recipes
    )
    other = Recipe2Plan(world.id, replace(world.scenario, recipes=changed), world.rules, world.limits)
    numbers, others = encoding(world), encoding(other)
    one, two = world.start(), other.start()
    for turn in turns:
        one, two = (w.step(s, {COOK: turn.decision}).state for w, s in ((world, one), (other, two)))
        assert numbers.features(one, COOK) == others.features(two, COOK)


def test_beliefs_are_asked_for_first_and_code_0_states_none() -> None:
    world = world_of("Tacos+Smore-Bars@knowledge=beliefs", limits="article")
    numbers, state = encoding(world), world.start()
    assert told(numbers, state)["beliefs are wanted"] == 1
    assert [code for code, ok in enumerate(numbers.mask(state, COOK)[0]) if ok] == [0]
    step = world.step(state, {COOK: numbers.decision(state, COOK, [0])})
    assert not step.refusals and not step.state.turns
    assert "beliefs are wanted" not in told(numbers, step.state)
    step = world.step(step.state, {COOK: numbers.decision(step.state, COOK, [0])})
    assert [refusal.code for refusal in step.refusals] == ["no_action"]


# --- score and bound -------------------------------------------------------------------------------------


def test_the_score_is_the_progress_and_once_complete_the_efficiency() -> None:
    """The soup in 870 s: 300 of the 720 that run by themselves are saved."""
    world = kitchen_of(SOUP)
    numbers = encoding(world)
    pieces = ((1, 600, 0), (0, 300, 0), (2, 60, 600), (3, 120, 660), (4, 90, 780))
    states = [after(world, *(Piece(n, "Soup", s, at) for n, s, at in pieces[:k])) for k in range(6)]
    assert states[-1].ended == "completed" and efficiency(world.compiled, states[-1].kitchen) == 300 / 720
    assert [numbers.score(state) for state in states] == [0, 0.2, 0.4, 0.6, 0.8, 1 + 300 / 720]
    hoped = [numbers.score(state) + numbers.potential(state) for state in states]
    assert hoped == pytest.approx([1 + 300 / 720] * 6)


def test_a_lag_that_can_no_longer_be_kept_is_known_to_the_bound() -> None:
    world = kitchen_of(SOUP)
    numbers = encoding(world)
    state = after(
        world, Piece(1, "Soup", 600, 0), Piece(0, "Soup", 300, 421)
    )  # until 721, one second too long
    assert numbers.score(state) + numbers.potential(state) == 4 / 5
    loose = kitchen_of(SOUP, lags=False)
    assert encoding(loose).potential(after(loose, Piece(1, "Soup", 600, 0), Piece(0, "Soup", 300, 421))) > 0.6


@settings(max_examples=60)
@given(kitchens())
def test_no_play_beats_the_bound(recipes: tuple[Recipe, ...]) -> None:
    """The best way through small kitchens, found by trying everything on the grid."""
    world = kitchen_of(*recipes)
    numbers, best = encoding(world), best_by_trying(kitchen_of(*recipes))
    if best is not None:
        assert numbers.outlook.earliest_finish(world.start().kitchen) <= best.seconds
        assert numbers.potential(world.start()) > 1 or not numbers.outlook.autonomous_seconds


@some
@given(worlds(), choices)
def test_no_later_score_of_any_play_beats_the_bound(world: Recipe2Plan, picks: list[int]) -> None:
    """Under all rules and limits, whatever is decided."""
    numbers = encoding(world)
    bound = numbers.potential(world.start())
    for _, _, step in walk(world, picks):
        assert numbers.score(step.state) <= bound + 1e-9
        bound = min(bound, numbers.score(step.state) + numbers.potential(step.state))
        assert not step.state.ended or numbers.potential(step.state) == 0


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_bound_holds_along_completed_play(rules: str) -> None:
    """Of 300 plays by random codes some complete everything; what was hoped for was never too little."""
    numbers = encoding(kitchen_of(SOUP, rules=rules, limits=Limits(turns=40)))
    world, random, completed = numbers.world, Random(1), 0
    for _ in range(300):
        state, bounds = world.start(), list[float]()
        while world.deciders(state):
            bounds.append(numbers.score(state) + numbers.potential(state))
            codes = [code for code, ok in enumerate(numbers.mask(state, COOK)[0]) if ok]
            state = world.step(state, {COOK: numbers.decision(state, COOK, [random.choice(codes)])}).state
        assert min(bounds) >= numbers.score(state) - 1e-9
        completed += numbers.score(state) >= 1
    assert completed > 30


def test_the_bound_holds_for_the_proven_optima_and_is_often_one() -> None:
    exact = 0
    for id in registry.expand("recipe2plan/all"):
        world = registry.world(id)
        optimum = known_optimum(id)
        assert isinstance(world, Recipe2Plan) and optimum is not None
        earliest = encoding(world).outlook.earliest_finish(world.start().kitchen)
        assert earliest <= optimum.seconds
        exact += earliest == optimum.seconds
    assert exact == 80


def test_zero_seconds_may_cut_short_what_runs_so_the_bound_does_not_count_on_it() -> None:
    """Under the release's rules the water is done at once for whoever does zero seconds more of it."""
    world = kitchen_of(SOUP, rules=Rules("cut short", zero_length_actions=True))
    numbers = encoding(world)
    state = after(world, Piece(0, "Soup", 300, 0), Piece(1, "Soup", 600, 300), Piece(1, "Soup", 0, 300))
    state = world.step(state, {COOK: Cook((Piece(2, "Soup", 60, 300),))}).state
    assert state.kitchen.clock == 360
    assert numbers.outlook.earliest_finish(state.kitchen) == 900


def test_finish_gives_up_or_ends() -> None:
    world = world_of("Tacos+Smore-Bars")
    numbers = encoding(world)
    assert numbers.decision(world.start(), COOK, [1]) == FINISH
    state = world.step(world.start(), {COOK: FINISH}).state
    assert numbers.score(state) == 0 == numbers.potential(state)
    assert numbers.mask(state, COOK) == ((True, *[False] * (len(numbers.actions) - 1)),)
