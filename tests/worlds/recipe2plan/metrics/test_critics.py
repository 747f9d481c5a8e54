"""Critics of whole plans: worked examples of each, and agreement with the world. Times in seconds.

The recipes stand in ``support.recipe2plan.play``. A row is (step, recipe, seconds, start).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.play import play_now
from backburner.worlds.recipe2plan.game import Cook, Lag, Piece, Recipe, Recipe2Plan, Scenario, Step
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.scenarios import LATEST, suites
from backburner.worlds.recipe2plan.game.state import NO_ACTION
from backburner.worlds.recipe2plan.metrics.assessment import Critics, accepted
from backburner.worlds.recipe2plan.metrics.critics import (
    Critique,
    Violation,
    criticise,
    describe,
    in_order,
)
from support.policies import Answers
from support.recipe2plan.play import (
    BREAD,
    CAKE,
    PIE,
    SOUP,
    choices,
    kitchen_of,
    reference_plan,
    walk,
    world_of,
    worlds,
)

Row = tuple[int, str, int, int]

SOUP_AT_BEST: tuple[Row, ...] = (
    (1, "Soup", 600, 0),  # boil 0-600, by itself
    (0, "Soup", 300, 0),  # chop 0-300, idle to 600
    (2, "Soup", 60, 600),  # put in 600-660
    (3, "Soup", 120, 660),  # stand 660-780, by itself: idle
    (4, "Soup", 90, 780),  # season 780-870
)


def critique(*rows: Row, of: Sequence[Recipe] = (SOUP,), lags: bool = True) -> Critique:
    return criticise(Scenario(tuple(of), lags), [Piece(*row) for row in rows])


def told(*rows: Row, of: Sequence[Recipe] = (SOUP,), lags: bool = True) -> list[tuple[str, str]]:
    """(family, sentence) of each violation."""
    found = critique(*rows, of=of, lags=lags)
    assert not (found.violations and found.idle)
    return [(violation.family, describe(violation)) for violation in found.violations]


def soup_but(*rows: Row) -> list[Row]:
    """The soup at its best with these rows in place of those of the same steps."""
    changed = {row[0] for row in rows}
    return [row for row in SOUP_AT_BEST if row[0] not in changed] + list(rows)


# --- plans without a violation -----------------------------------------------------------------------


def test_a_feasible_plan_s_idle_stretches() -> None:
    """The cook chops 0-300, puts in 600-660 and seasons 780-870; in between there is nothing to do."""
    assert critique(*SOUP_AT_BEST) == Critique((), 870, ((300, 600), (660, 780)))


def test_the_order_in_which_a_plan_is_written_does_not_matter() -> None:
    assert critique(*reversed(SOUP_AT_BEST)) == critique(*SOUP_AT_BEST)
    ordered = in_order(Scenario((SOUP,)), [Piece(*row) for row in reversed(SOUP_AT_BEST)])
    assert ordered == tuple(Piece(*row) for row in SOUP_AT_BEST)


def test_the_cook_is_idle_before_the_first_and_during_the_last_action_too() -> None:
    """The oven heats 60-660 while the dough is kneaded 120-600; the loaf bakes 660-1860."""
    rows = ((0, "Bread", 600, 60), (1, "Bread", 480, 120), (2, "Bread", 1200, 660))
    assert critique(*rows, of=[BREAD]) == Critique((), 1860, ((0, 120), (600, 1860)))


def test_a_splittable_step_may_come_in_pieces_that_make_up_its_length() -> None:
    assert told(*soup_but((0, "Soup", 100, 0), (0, "Soup", 200, 250))) == []


# --- one violation of each kind ----------------------------------------------------------------------


def test_completeness_names_missing_and_unknown_steps() -> None:
    rows = [row for row in SOUP_AT_BEST if row[0] != 4]
    assert told(*rows) == [("completeness", "Step 4 of Soup is not in the plan.")]
    assert told(*SOUP_AT_BEST, (5, "Soup", 60, 900), (0, "Stew", 60, 900)) == [
        ("completeness", "Soup has no step 5."),
        ("completeness", "Stew (step 0) is none of the recipes."),
    ]


def test_what_waits_for_a_missing_step_depends_on_it() -> None:
    rows = [row for row in SOUP_AT_BEST if row[0] != 0]
    needs = "Step 2 of Soup cannot start at 00:10:00: it needs step 0, which is not in the plan."
    assert told(*rows) == [("completeness", "Step 0 of Soup is not in the plan."), ("dependency", needs)]


@pytest.mark.parametrize("seconds, given", [(240, "4 min"), (330, "5 min 30 s")])
def test_duration_names_what_a_step_takes_and_what_it_is_given(seconds: int, given: str) -> None:
    sentence = f"Step 0 of Soup takes 5 min; the plan gives it {given}."
    assert told(*soup_but((0, "Soup", seconds, 0))) == [("duration", sentence)]


def test_a_step_done_twice_takes_too_long() -> None:
    """Standing 660-780 is enough; another 780-900 makes 4 min, and the seasoning at 780 too early."""
    assert told(*SOUP_AT_BEST, (3, "Soup", 120, 780)) == [
        ("duration", "Step 3 of Soup takes 2 min; the plan gives it 4 min."),
        ("dependency", "Step 4 of Soup cannot start at 00:13:00: it needs step 3, which ends at 00:15:00."),
    ]


def test_actions_without_length_or_outside_all_time() -> None:
    assert told(*SOUP_AT_BEST, (0, "Soup", 0, 300)) == [
        ("duration", "Step 0 of Soup at 00:05:00 has to be done for some time.")
    ]
    assert told((0, "Bread", 600, -1), of=[PIE, BREAD])[-1] == (
        "duration", "Step 0 of Bread cannot start at second -1."
    )  # fmt: skip
    late = critique((0, "Pie", 600, LATEST), (1, "Pie", 900, LATEST + 1), of=[PIE]).violations
    assert [violation.step for violation in late if violation.problem == "out of time"] == [1]


def test_concurrency_finds_what_the_cook_cannot_do_at_once() -> None:
    """Chopping 400-700 overlaps the putting in at 600, which needs it done, and the standing at 660."""
    found = critique(*soup_but((0, "Soup", 300, 400))).violations
    assert [violation.family for violation in found] == ["concurrency", "concurrency", "dependency"]
    assert found[0] == Violation(
        "concurrency", "cook busy", "Soup", 2, 600, other_recipe="Soup", other_step=0, other_end=700
    )
    assert describe(found[0]) == (
        "Step 2 of Soup cannot start at 00:10:00: step 0 of Soup keeps the cook busy until 00:11:40."
    )


def test_nothing_starts_by_itself_while_the_cook_is_busy() -> None:
    """Kneading 0-480: the oven can be lit at 0 or at 480, not at 100 (article, section 3.2)."""
    late = ((1, "Bread", 480, 0), (2, "Bread", 1200, 1080))
    for start, families in ((0, []), (100, ["concurrency"]), (480, [])):
        found = critique((0, "Bread", 600, start), *late, of=[BREAD]).violations
        assert [violation.family for violation in found] == families


def test_interruption_finds_pieces_of_a_step_that_cannot_be_split() -> None:
    rows = soup_but((2, "Soup", 30, 600), (2, "Soup", 30, 630))
    assert told(*rows) == [("interruption", "Step 2 of Soup is done in 2 pieces and cannot be split.")]


def test_dependency_finds_a_step_that_begins_a_second_too_early() -> None:
    """Standing ends at 780; seasoning at 779 is a second too early."""
    sentence = "Step 4 of Soup cannot start at 00:12:59: it needs step 3, which ends at 00:13:00."
    assert told(*soup_but((4, "Soup", 90, 779))) == [("dependency", sentence)]


def test_time_limit_finds_a_step_that_begins_a_second_too_late() -> None:
    """Seasoning may wait for 60 s after 780: 840 is in time, 841 is not, and nobody minds without lags."""
    assert told(*soup_but((4, "Soup", 90, 840))) == []
    late = soup_but((4, "Soup", 90, 841))
    sentence = "Step 4 of Soup starts at 00:14:01, 1 min 1 s after the end of step 3; the limit is 1 min."
    assert told(*late) == [("time limit", sentence)]
    assert told(*late, lags=False) == []


def test_a_time_limit_binds_every_piece() -> None:
    """Of the seasoning 780-810 is in time; the rest from 870 on comes 90 s after the standing."""
    (found,) = critique(*soup_but((4, "Soup", 30, 780), (4, "Soup", 60, 870))).violations
    assert (found.family, found.start, found.given, found.allowed) == ("time limit", 870, 90, 60)


def test_a_time_limit_counts_from_the_last_piece() -> None:
    """Kneading 0-60 and 100-160: baking may start until 190, and at 191 it is late."""
    knead = Step("Knead.", 120, splittable=True)
    roll = Recipe("Roll", (knead, Step("Bake.", 60, after=(0,), lags=(Lag(0, 30),))))
    pieces = ((0, "Roll", 60, 0), (0, "Roll", 60, 100))
    assert told(*pieces, (1, "Roll", 60, 190), of=[roll]) == []
    (late,) = critique(*pieces, (1, "Roll", 60, 191), of=[roll]).violations
    assert (late.family, late.given, late.other_end) == ("time limit", 31, 160)


def test_an_appliance_is_occupied() -> None:
    """The pie bakes 600-1500; the cake's oven cannot heat from 900 on. At 1500 it can."""
    pie = ((0, "Pie", 600, 0), (1, "Pie", 900, 600))
    sentence = "Step 0 of Cake cannot start at 00:15:00: step 1 of Pie occupies the oven until 00:25:00."
    rows = (*pie, (0, "Cake", 600, 900), (1, "Cake", 900, 1500))
    assert told(*rows, of=[PIE, CAKE]) == [("appliance", sentence)]
    rows = (*pie, (0, "Cake", 600, 1500), (1, "Cake", 900, 2100))
    assert told(*rows, of=[PIE, CAKE]) == []


def test_an_oven_is_at_another_temperature() -> None:
    """The oven is heated to 400 degrees for the pie, then to 350 for the cake; then the pie comes."""
    rows = ((0, "Pie", 600, 0), (0, "Cake", 600, 600), (1, "Cake", 900, 1200), (1, "Pie", 900, 2100))
    at = "Step 1 of Pie cannot start at 00:35:00"
    sentence = f"{at}: it needs 400 degrees Fahrenheit; the oven is at 350."
    assert told(*rows, of=[PIE, CAKE]) == [("appliance", sentence)]
    cold = told((1, "Pie", 900, 0), of=[PIE])
    assert cold[-1][1].endswith("it needs 400 degrees Fahrenheit; the oven is not preheated.")


def test_recipes_preheat_together() -> None:
    """Bread and pie both heat the oven to 400 degrees 0-600. A second later it is in use."""
    bread = ((0, "Bread", 600, 0), (1, "Bread", 480, 0), (2, "Bread", 1200, 600))
    rest = ((1, "Pie", 900, 1800),)
    assert told(*bread, (0, "Pie", 600, 0), *rest, of=[BREAD, PIE]) == []
    (found,) = critique(*bread, (0, "Pie", 599, 0), *rest, of=[BREAD, PIE]).violations[1:]
    assert (found.family, found.problem, found.appliance) == ("appliance", "occupied", "oven")


def test_recipes_do_not_preheat_to_different_temperatures_together() -> None:
    rows = ((0, "Pie", 600, 0), (0, "Cake", 600, 0))
    problems = [violation.problem for violation in critique(*rows, of=[PIE, CAKE]).violations]
    assert problems == ["missing", "missing", "occupied"]


def test_an_oven_is_heated_again_for_exactly_the_time_of_a_bake() -> None:
    """The pie bakes 600-1500 at 400 degrees; the biscuit's slow preheat to 400 shares that time."""
    heat = Step("Preheat slowly.", 900, autonomous=True, appliance="oven", sets_fahrenheit=400)
    recipes = [PIE, Recipe("Biscuit", (heat,))]
    for start, expected in ((600, []), (601, ["occupied"])):
        rows = ((0, "Pie", 600, 0), (1, "Pie", 900, 600), (0, "Biscuit", 900, start))
        for plan in (rows, rows[::-1]):
            assert [v.problem for v in critique(*plan, of=recipes).violations] == expected


def test_the_critics_do_not_stop_at_the_first_violation() -> None:
    """All seven in one plan of the soup."""
    families = [
        violation.family
        for violation in critique(
            (1, "Soup", 600, 0),  # boil 0-600; then again, on a stove in use
            (1, "Soup", 500, 100),
            (2, "Soup", 60, 1000),  # 400 s after the water boils; nothing has been chopped
            (4, "Soup", 90, 1030),  # while the leek is put in; nothing has stood
        ).violations
    ]
    assert list(dict.fromkeys(families)) == [
        "completeness", "duration", "concurrency", "interruption", "dependency", "time limit", "appliance",
    ]  # fmt: skip


def test_a_plan_that_repeats_itself_is_told_so_once() -> None:
    """Chopping at 0 five hundred times: far too long, and each time but the first the cook is busy."""
    found = critique(*[(0, "Soup", 300, 0)] * 500, *SOUP_AT_BEST[:1], *SOUP_AT_BEST[2:]).violations
    assert [(violation.family, violation.given) for violation in found] == [
        ("duration", 150_000),
        ("concurrency", None),
    ]


def test_an_empty_plan_misses_everything() -> None:
    found = critique(of=[SOUP, BREAD])
    assert [violation.problem for violation in found.violations] == ["missing"] * 8
    assert found.finish == 0


# --- agreement with the world ------------------------------------------------------------------------


def world_accepts(world: Recipe2Plan, plan: Sequence[Piece]) -> bool:
    """Whether the plan in order is one accepted decision that completes all recipes."""
    decision = Cook(in_order(world.scenario, plan))
    step = world.step(world.start(), {COOK: decision})
    return not step.refusals and step.state.ended == "completed"


@pytest.mark.parametrize("path", suites()["all"])
def test_the_stored_plans_have_no_violation(path: str) -> None:
    world = world_of(path)
    plan = reference_plan(world)
    found = criticise(world.scenario, plan)
    if not plan:
        assert path == "Pizza+Chocolate-Egg@lags=on"  # for which the heuristic found none
        assert {violation.problem for violation in found.violations} == {"missing"}
        return
    assert found.violations == () and world_accepts(world, plan)
    idle = sum(end - start for start, end in found.idle)
    busy = sum(
        piece.seconds
        for piece in plan
        if not world.compiled.jobs_of[piece.recipe][piece.step].step.autonomous
    )
    assert idle + busy == found.finish == max(piece.stop for piece in plan)


@st.composite
def changed_plans(draw: st.DrawFn) -> tuple[Recipe2Plan, list[Piece]]:
    """A stored plan after up to three changes: shifted, dropped, resized, repeated, swapped, cut."""
    world = world_of(draw(st.sampled_from(suites()["all"])))
    plan = list(reference_plan(world))
    for _ in range(draw(st.integers(0, 3)) if plan else 0):
        at, other = (draw(st.integers(0, len(plan) - 1)) for _ in range(2))
        piece, shift = plan[at], draw(st.sampled_from([-600, -60, -1, 1, 30, 60, 300]))
        match draw(st.sampled_from(["shift", "delay", "drop", "resize", "repeat", "swap", "cut", "alien"])):
            case "shift":
                plan[at] = replace(piece, start=piece.start + shift)
            case "delay":  # all that follows
                plan[at:] = [replace(p, start=p.start + abs(shift)) for p in plan[at:]]
            case "drop" if len(plan) > 1:
                del plan[at]
            case "resize":
                plan[at] = replace(piece, seconds=piece.seconds + shift)
            case "repeat":
                plan.append(replace(piece, start=piece.stop + abs(shift)))
            case "swap":
                plan[at], plan[other] = (
                    replace(piece, start=plan[other].start), replace(plan[other], start=piece.start)
                )  # fmt: skip
            case "cut":
                first = piece.seconds // 2
                plan[at] = replace(piece, seconds=first)
                plan.append(replace(piece, seconds=piece.seconds - first, start=piece.start + first))
            case "alien":
                plan.append(Piece(99, piece.recipe, 60, piece.stop))
    return world, draw(st.permutations(plan))


@given(changed_plans())
@settings(max_examples=150)
def test_no_violation_means_that_the_world_accepts_and_completes(
    case: tuple[Recipe2Plan, list[Piece]],
) -> None:
    world, plan = case
    found = criticise(world.scenario, plan)
    assert (not found.violations) == world_accepts(world, plan)
    assert all(describe(violation).endswith(".") for violation in found.violations)


SALAD = Recipe("Salad", (Step("Wash.", 2, splittable=True), Step("Rest.", 2, autonomous=True, after=(0,))))
TOAST = Recipe(
    "Toast",
    (
        Step("Preheat.", 2, appliance="oven", sets_fahrenheit=400),
        Step("Toast.", 2, autonomous=True, after=(0,), appliance="oven", needs_fahrenheit=400),
    ),
)
MELT = Recipe(
    "Melt",
    (
        Step("Preheat.", 2, autonomous=True, appliance="oven", sets_fahrenheit=400),
        Step("Melt.", 2, after=(0,), appliance="oven", needs_fahrenheit=400),
    ),
)


@given(st.data())
@settings(max_examples=300)
def test_the_same_for_short_steps_thrown_together(data: st.DataObject) -> None:
    """Steps of two seconds within twelve meet, touch and share the oven all the time."""
    recipes = data.draw(st.lists(st.sampled_from([SALAD, TOAST, MELT]), min_size=1, unique=True))
    world = kitchen_of(*recipes)
    plan = [
        Piece(number, recipe.name, seconds, data.draw(st.integers(0, 12)))
        for recipe in recipes
        for number in range(2)
        for seconds in data.draw(st.sampled_from([(2,), (2,), (2,), (1, 1)]))
    ]
    assert (not criticise(world.scenario, plan).violations) == world_accepts(world, plan)


@given(worlds(), choices)
@settings(max_examples=50)
def test_the_same_for_what_was_cooked_in_random_play(world: Recipe2Plan, numbers: list[int]) -> None:
    """What a play leaves undone is missing; under standard rules nothing that it did is a violation."""
    free = Recipe2Plan(world.id, world.scenario, world_of("Tacos").rules, world_of("Tacos").limits)
    plan: list[Piece] = []
    for turn in walk(free, numbers):
        if isinstance(turn.decision, Cook):
            refusals = turn.step.refusals
            plan += turn.decision.actions[: refusals[0].index] if refusals else turn.decision.actions
    found = criticise(free.scenario, plan)
    assert (not found.violations) == world_accepts(free, plan)
    # begun splittable steps are too short; nothing else can be wrong
    assert {violation.problem for violation in found.violations} <= {"missing", "wrong length"}


# --- plans as they are written -----------------------------------------------------------------------


def test_text_rows_and_record_are_the_same_plan() -> None:
    world = kitchen_of(SOUP)
    critics = Critics(world.scenario, world.reader)
    expected = critique(*SOUP_AT_BEST)
    texts = [f"Action: {world.words(Cook((Piece(*row),)))}" for row in SOUP_AT_BEST]
    assert critics.criticise("Thought: all at once.\n" + "\n".join(texts)) == expected
    assert critics.criticise([list(row) for row in SOUP_AT_BEST]) == expected
    decisions = [Cook((Piece(*row),)) for row in SOUP_AT_BEST]
    episode = play_now(world, Answers(*decisions[:2], decisions[0], *decisions[2:]))  # one is refused
    assert accepted(episode) == tuple(Piece(*row) for row in SOUP_AT_BEST)
    assert critics.criticise(episode) == expected
    assert [critics.moment(end) for _, end in expected.idle] == ["00:10:00", "00:13:00"]


# --- plans as one decision ---------------------------------------------------------------------------


def test_a_plan_as_a_decision_is_tried_as_the_critics_saw_it() -> None:
    """Written with the chopping before the boiling, both at 0, it would keep the cook from boiling."""
    rows = [SOUP_AT_BEST[1], SOUP_AT_BEST[0], *SOUP_AT_BEST[2:]]
    world = kitchen_of(SOUP)
    critics = Critics(world.scenario, world.reader)
    text = ", ".join(f"Step({step}, Soup, {seconds} s, {start} s)" for step, _, seconds, start in rows)
    for plan in (rows, text):
        assert critics.criticise(plan) == Critique((), 870, ((300, 600), (660, 780)))
        decision = critics.as_decision(plan)
        assert isinstance(decision, Cook)
        assert decision.actions == tuple(Piece(*row) for row in SOUP_AT_BEST)
        episode = play_now(world, Answers(decision))
        assert episode.ending is not None
        assert episode.ending.numbers["completed"] == 1
        assert critics.as_decision(episode) == decision


def test_a_text_without_a_plan_is_no_decision() -> None:
    world = kitchen_of(SOUP)
    assert Critics(world.scenario, world.reader).as_decision("I would boil water first.") == NO_ACTION
