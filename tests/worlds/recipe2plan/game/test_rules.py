"""The rules of Recipe2Plan by worked examples; times in seconds. Recipes: ``support.recipe2plan.play``."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.activities import activities, score_curve
from backburner.kernel.errors import Refused
from backburner.kernel.values import digest
from backburner.worlds.recipe2plan.game import Cook, Lag, Limits, Piece, Recipe, Step
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.scenarios import LATEST, suites
from backburner.worlds.recipe2plan.game.state import FINISH
from support.recipe2plan.play import (
    BREAD,
    CAKE,
    PIE,
    SOUP,
    Game,
    kitchen_of,
    play_out,
    reference_plan,
    world_of,
)

both_presets = pytest.mark.parametrize("rules", ["standard", "released"])

SOUP_AT_BEST = (
    (1, "Soup", 600, 0),  # boil 0-600, by itself
    (0, "Soup", 300, 0),  # chop 0-300, wait
    (2, "Soup", 60, 600),  # put in 600-660
    (3, "Soup", 120, 660),  # stand 660-780, by itself
    (4, "Soup", 90, 780),  # season 780-870
)


# --- time -----------------------------------------------------------------------------------------


@both_presets
def test_the_soup_at_its_best(rules: str) -> None:
    """870 s. One after the other the steps take 300 + 600 + 60 + 120 + 90 = 1170."""
    game = Game(kitchen_of(SOUP, rules=rules)).each(*SOUP_AT_BEST)
    assert game.world.outcome(game.state).numbers == {
        "seconds": 870,
        "progress_percent": 100.0,
        "completed": 1,
        "actions": 5,
        "work_seconds": 1170,
        "autonomous_seconds": 720,
    }
    assert game.ended == ("completed" if rules == "standard" else "")


def test_the_events_of_the_soup() -> None:
    game = Game(kitchen_of(SOUP)).each(*SOUP_AT_BEST)
    found = [(a.lane, a.label, a.start, a.end, a.kind) for a in activities(game.events)]
    assert found == [
        ("cook", "Soup 0", 0, 300, "work"),
        ("stove", "Soup 1", 0, 600, "work"),
        ("cook", "wait", 300, 600, "wait"),
        ("cook", "Soup 2", 600, 660, "work"),
        ("Soup", "Soup 3", 660, 780, "work"),
        ("cook", "wait", 660, 780, "wait"),
        ("cook", "Soup 4", 780, 870, "work"),
    ]
    assert score_curve(game.events) == [(0, 0), (0, 20), (300, 40), (660, 60), (660, 80), (870, 100)]


def test_a_step_that_runs_by_itself_leaves_the_clock_alone() -> None:
    game = Game(kitchen_of(SOUP)).cook((1, "Soup", 600, 50))
    assert game.clock == 50  # waited for, then started
    assert game.cook((0, "Soup", 300, 50)).clock == 350


def test_what_ends_now_is_over() -> None:
    """Chopped 0-300 and 300 later, at 600, when the water has boiled."""
    twice = Recipe("Twice", (*SOUP.steps, Step("Chop more leek.", 300)))
    game = Game(kitchen_of(twice)).each((1, "Twice", 600, 0), (0, "Twice", 300, 0), (5, "Twice", 300, 300))
    seen = game.world.observe(game.state, COOK)
    assert seen.clock == 600 and seen.under_way == ()
    assert not any(thing.occupied for thing in seen.appliances)
    assert [(event.time, event.lane) for event in game.last.events if event.what == "end"] == [
        (600, "stove"),
        (600, "cook"),
    ]


def test_nothing_begins_before_now() -> None:
    game = Game(kitchen_of(SOUP)).cook((0, "Soup", 200, 0))
    assert game.cook((1, "Soup", 600, 199)).refused == "past_time" and game.refusal.get("clock") == 200
    assert game.cook((1, "Soup", 600, -1)).refused == "past_time"
    assert game.cook((1, "Soup", 600, 200)).refused == ""


@both_presets
def test_nothing_begins_beyond_the_last_time(rules: str) -> None:
    game = Game(kitchen_of(SOUP, rules=rules)).cook((0, "Soup", 300, LATEST + 1))
    assert game.refused == "beyond_time" and game.clock == 0


# --- steps ----------------------------------------------------------------------------------------


def test_a_step_in_pieces() -> None:
    """Chop 100, start the water, chop 150 and 50: nothing is left, 300 + 600 were worked."""
    game = Game(kitchen_of(SOUP)).each((0, "Soup", 100, 0), (1, "Soup", 600, 100), (0, "Soup", 150, 100))
    assert game.left(0, "Soup") == 50 and game.state.kitchen.done == 1
    assert game.cook((0, "Soup", 51, 250)).refused == "duration_exceeds" and game.refusal.get("left") == 50
    assert game.cook((0, "Soup", 50, 250)).refused == ""
    assert game.state.kitchen.done == 2 and game.state.kitchen.worked == 900


def test_a_step_that_cannot_be_split() -> None:
    game = Game(kitchen_of(BREAD)).cook((1, "Bread", 479, 0))
    assert game.refused == "not_interruptible" and game.refusal.get("left") == 480
    assert game.cook((1, "Bread", 481, 0)).refused == "duration_exceeds"
    assert game.cook((1, "Bread", 480, 0)).refused == ""


def test_prerequisites_are_told_in_the_order_of_the_recipe() -> None:
    """Baking needs the oven (0-600) and the dough (480). What is missing first is told first."""
    game = Game(kitchen_of(BREAD)).cook((0, "Bread", 600, 0))
    assert game.cook((2, "Bread", 1200, 600)).refusal.get("needs") == 1
    game.each((1, "Bread", 480, 0))
    assert game.cook((2, "Bread", 1200, 599)).refused == "object_occupied"  # the oven still heats up
    assert game.cook((2, "Bread", 1200, 600)).refused == ""


def test_a_prerequisite_that_still_runs() -> None:
    game = Game(kitchen_of(SOUP)).each((1, "Soup", 600, 0), (0, "Soup", 300, 0), (2, "Soup", 60, 599))
    assert game.refused == "dep_unfinished"
    assert (game.refusal.get("needs"), game.refusal.get("finish")) == (1, 600)
    assert game.cook((2, "Soup", 60, 600)).refused == ""


@both_presets
def test_the_last_second_of_a_limit(rules: str) -> None:
    """The water boils until 600; 120 later is 720."""
    begun = ((1, "Soup", 600, 0), (0, "Soup", 300, 0))
    game = Game(kitchen_of(SOUP, rules=rules)).each(*begun, (2, "Soup", 60, 721))
    assert game.refused == "time_constraint"
    assert (game.refusal.get("after"), game.refusal.get("limit")) == (1, 120)
    assert Game(kitchen_of(SOUP, rules=rules)).each(*begun, (2, "Soup", 60, 720)).refused == ""


@both_presets
def test_a_limit_binds_every_piece(rules: str) -> None:
    """The soup stands until 780 and is seasoned from 800, in time, but not again from 850."""
    game = Game(kitchen_of(SOUP, rules=rules)).each(*SOUP_AT_BEST[:4])
    assert game.cook((4, "Soup", 30, 800)).refused == ""
    assert game.world.observe(game.state, COOK).missed == ()  # the leek was in time long before
    assert game.cook((4, "Soup", 30, 840)).refused == ""  # the last second, 780 + 60
    assert game.cook((4, "Soup", 30, 870)).refused == "time_constraint"


def test_limits_that_are_not_in_force() -> None:
    game = Game(kitchen_of(SOUP, lags=False)).each(*SOUP_AT_BEST[:2])
    assert game.cook((2, "Soup", 60, 5000)).refused == ""


# --- appliances -----------------------------------------------------------------------------------


def test_an_appliance_serves_one_step_at_a_time() -> None:
    """The oven heats up for the bread 0-600. At 600 it is free, and too hot for the cake."""
    game = Game(kitchen_of(BREAD, CAKE)).cook((0, "Bread", 600, 0))
    assert game.cook((0, "Cake", 600, 0)).refused == "object_occupied"
    assert game.cook((0, "Cake", 600, 599)).refused == "object_occupied"
    assert game.cook((1, "Cake", 900, 600)).refused == "object_property"
    assert (game.refusal.get("have"), game.refusal.get("need")) == (400, 350)
    assert game.cook((0, "Cake", 600, 600)).refused == ""
    game.each((1, "Bread", 480, 600), (2, "Bread", 1200, 1200))
    assert (game.refusal.get("have"), game.refusal.get("need")) == (350, 400)


def test_a_cold_oven() -> None:
    game = Game(kitchen_of(PIE)).cook((1, "Pie", 900, 0))
    assert game.refused == "object_property" and game.refusal.get("have") is None


@pytest.mark.parametrize(("start", "refused"), [(0, ""), (1, "object_occupied")])
def test_recipes_preheat_an_oven_together(start: int, refused: str) -> None:
    """Same temperature, same start, same end; then bread or pie bakes."""
    game = Game(kitchen_of(BREAD, PIE)).each((0, "Bread", 600, 0), (0, "Pie", 600, start))
    assert game.refused == refused
    if not refused:
        game.each((1, "Pie", 900, 600), (1, "Bread", 480, 600))
        assert game.cook((2, "Bread", 1200, 1499)).refused == "object_occupied"
        assert game.cook((2, "Bread", 1200, 1500)).refused == ""


def test_the_cook_uses_appliances_too() -> None:
    """Frying keeps cook and stove busy 0-300; water can boil from then on."""
    fry = Recipe("Fry", (Step("Fry the egg, and stir.", 300, appliance="stove"),))
    game = Game(kitchen_of(fry, SOUP)).each((1, "Soup", 600, 0), (0, "Fry", 300, 0))
    assert game.refused == "object_occupied"
    assert game.cook((0, "Fry", 300, 600)).refused == "" and game.clock == 900


# --- decisions ------------------------------------------------------------------------------------


@both_presets
def test_a_plan_is_one_decision(rules: str) -> None:
    game = Game(kitchen_of(SOUP, rules=rules)).cook(*SOUP_AT_BEST)
    assert game.refused == "" and game.state.feedback.executed == 5 and game.clock == 870
    one_by_one = Game(kitchen_of(SOUP, rules=rules)).each(*SOUP_AT_BEST)
    assert game.state.kitchen == one_by_one.state.kitchen
    assert game.events == one_by_one.events


def test_a_plan_runs_up_to_its_first_refusal() -> None:
    """The third action is too early; the first two stay done, the rest is not tried."""
    game = Game(kitchen_of(SOUP)).cook(*SOUP_AT_BEST[:2], (2, "Soup", 60, 500), (4, "Soup", 90, 5000))
    assert game.refused == "dep_unfinished" and game.refusal.index == 2 and game.refusal.seat == COOK
    assert len(game.last.refusals) == 1 and game.state.feedback.executed == 2
    assert game.state.kitchen.actions == 2 and game.clock == 300


@pytest.mark.parametrize("decision", [None, "cook", 7, Cook(), {"actions": []}])
def test_no_decision_is_refused_and_costs_no_time(decision: object) -> None:
    game = Game(kitchen_of(SOUP)).decide(decision)
    assert game.refused == "no_action" and game.clock == 0 and not game.last.events


def test_the_cook_gives_up() -> None:
    """What runs by itself goes on to its end, 600."""
    game = Game(kitchen_of(SOUP)).cook((1, "Soup", 600, 0)).decide(FINISH)
    assert game.ended == "finish" and not game.last.refusals
    assert game.state.turns == 1  # as released, to finish is no turn
    assert [(event.time, event.what, event.lane) for event in game.last.events] == [(600, "end", "stove")]
    assert game.world.outcome(game.state).numbers["completed"] == 0


# --- limits ---------------------------------------------------------------------------------------


@both_presets
def test_the_articles_limits(rules: str) -> None:
    limits = kitchen_of(SOUP, BREAD, rules=rules, limits="article").limits
    assert limits == Limits(turns=5 + 3 + 10, revisions=10, same_failure=3, lag_violation_ends=True)


@pytest.mark.parametrize("limits", [{"turns": 0}, {"revisions": -1}, {"same_failure": 0}, {"seconds": 0}])
def test_limits_that_let_nobody_begin(limits: dict[str, int]) -> None:
    with pytest.raises(Refused, match="is at least"):
        Limits(**limits)


@both_presets
def test_turns_are_decisions(rules: str) -> None:
    game = Game(kitchen_of(SOUP, rules=rules, limits=Limits(turns=2))).cook(*SOUP_AT_BEST[:2])
    assert game.ended == "" and game.say("Hm.").ended == "turn_limit"
    assert game.world.outcome(game.state).status == "cut off"


@both_presets
@pytest.mark.parametrize(("seconds", "ended"), [(299, "time_limit"), (300, "time_limit"), (301, "")])
def test_the_time_is_up_with_the_decision_that_gets_there(rules: str, seconds: int, ended: str) -> None:
    """The water boils from 0 to 600 and the leek is chopped until 300; whoever is done by then is done."""
    limits = Limits(seconds=seconds)
    assert Game(kitchen_of(SOUP, rules=rules, limits=limits)).each(*SOUP_AT_BEST[:2]).ended == ended
    game = Game(kitchen_of(SOUP, rules=rules, limits=limits)).cook(*SOUP_AT_BEST, finish=True)
    assert game.world.outcome(game.state).status == "ended"


@both_presets
def test_a_scenario_s_own_limit_is_one_of_the_article_s(rules: str) -> None:
    usual = kitchen_of(SOUP, rules=rules, limits="article").limits
    assert kitchen_of(SOUP, rules=rules, limits="article", limit=99).limits == replace(usual, seconds=99)
    assert kitchen_of(SOUP, rules=rules, limit=99).limits == Limits()


def test_published_scenarios_and_their_limits_are_written_as_ever() -> None:
    """Neither has a limit of time, and a record does not say so."""
    worlds = map(registry.world, registry.expand("recipe2plan/all"))
    written = [(digest(world.scenario), digest(world.limits)) for world in worlds]
    assert digest(written) == "db8a7c9a1b1b8ee9"


@both_presets
def test_the_eleventh_refusal_in_a_row_ends_play(rules: str) -> None:
    """Ten refusals are each followed by another try; the eleventh in a row is one too many."""
    game = Game(kitchen_of(SOUP, rules=rules, limits=Limits(revisions=10)))
    for number in range(10):
        game.cook((2 + number % 2, "Soup", 60, 0))
        assert game.ended == "" and game.state.revisions == number
    assert game.cook((2, "Soup", 60, 0)).ended == "revision_limit" and game.state.revisions == 10


@both_presets
def test_a_broken_limit_ends_play_or_not(rules: str) -> None:
    late = (*SOUP_AT_BEST[:2], (2, "Soup", 60, 721))
    game = Game(kitchen_of(SOUP, rules=rules, limits=Limits(lag_violation_ends=True))).each(*late)
    assert game.refused == game.ended == "time_constraint"
    assert Game(kitchen_of(SOUP, rules=rules)).each(*late).ended == ""


def test_what_is_over_stays_over() -> None:
    game = Game(kitchen_of(SOUP)).decide(FINISH)
    over = game.state
    assert game.cook((0, "Soup", 300, 0)).state == over and not game.last.events and not game.last.refusals


# --- menus and hints ------------------------------------------------------------------------------


def menu(game: Game) -> list[tuple[int, str, int, int]]:
    options = game.world.menu(game.state, COOK).options
    return [(p.step, p.recipe, p.seconds, p.start) for o in options for p in o.decision.actions]


def test_the_menu_lists_each_step_at_its_first_second() -> None:
    """At 300 the leek is chopped: it goes in at 600. The stove of the second soup is free then, too."""
    other = Recipe("Stew", SOUP.steps)
    game = Game(kitchen_of(SOUP, other))
    assert menu(game) == [(0, "Soup", 300, 0), (1, "Soup", 600, 0), (0, "Stew", 300, 0), (1, "Stew", 600, 0)]
    game.each(*SOUP_AT_BEST[:2], (0, "Stew", 100, 300))
    assert menu(game)[:3] == [(0, "Stew", 200, 400), (2, "Soup", 60, 600), (1, "Stew", 600, 600)]
    assert game.world.menu(game.state, COOK).under_way == ("Soup 1",)


def test_the_menu_lists_also_what_can_begin_when_nothing_runs_any_more() -> None:
    """The rest of the stew's leek can be chopped now, at 400, or when the water boils, at 600."""
    game = Game(kitchen_of(SOUP, Recipe("Stew", SOUP.steps)))
    assert not any(option.waits for option in game.world.menu(game.state, COOK).options)
    game.each(*SOUP_AT_BEST[:2], (0, "Stew", 100, 300))
    options = game.world.menu(game.state, COOK).options
    assert menu(game)[3:] == [(0, "Stew", 200, 600)]
    assert [option.waits for option in options] == [False, True, True, True]


def test_where_nothing_can_begin_after_what_runs_to_finish_is_on_the_menu() -> None:
    """The toast keeps for 1 min, and the stew, begun first, simmers for 5 min more: too long."""
    toast = Recipe(
        "Toast",
        (Step("Toast it.", 60, autonomous=True), Step("Butter it.", 60, after=(0,), lags=(Lag(0, 60),))),
    )
    stew = Recipe("Stew", (Step("Let it simmer.", 300, autonomous=True),))
    game = Game(kitchen_of(toast, stew)).each((0, "Stew", 300, 0), (0, "Toast", 60, 0))
    butter, finish = game.world.menu(game.state, COOK).options
    assert butter.decision.actions == (Piece(1, "Toast", 60, 60),) and not butter.waits
    assert finish.decision == FINISH and finish.waits


@both_presets
def test_where_nothing_can_be_done_the_menu_is_to_finish(rules: str) -> None:
    """The leek is too late at 721, and all else waits for it."""
    game = Game(kitchen_of(SOUP, rules=rules))
    game.each((1, "Soup", 600, 0), (0, "Soup", 1, 721), (0, "Soup", 299, 722))
    assert [option.decision for option in game.world.menu(game.state, COOK).options] == [FINISH]


def test_the_hint_lists_what_is_too_late() -> None:
    """As released: the late step stands in it, and so does one whose prerequisite is missing."""
    game = Game(kitchen_of(SOUP, rules="released"))
    game.each((1, "Soup", 600, 0), (0, "Soup", 100, 800))
    listed = [
        (time, [piece.step for piece in pieces])
        for time, pieces in game.world.rulebook.legality.hint(game.state.kitchen)
    ]
    assert listed == [(900, [0, 2])]
    assert menu(game) == [(0, "Soup", 200, 900)]


# --- published plans ------------------------------------------------------------------------------


@both_presets
@pytest.mark.parametrize("suite", ["constrained", "unconstrained"])
def test_every_stored_plan_completes_its_pair(suite: str, rules: str) -> None:
    """All but the one that is not there (Pizza and Chocolate-Egg with limits)."""
    missing = []
    for path in suites()[suite]:
        world = world_of(path, rules)
        plan = reference_plan(world)
        if not plan:
            missing.append(path)
            continue
        state = Game(world).decide(Cook(plan)).state
        numbers = world.outcome(state).numbers
        assert numbers["completed"] and numbers["seconds"] == max(piece.stop for piece in plan), path
    assert missing == (["Pizza+Chocolate-Egg@lags=on"] if suite == "constrained" else [])


@pytest.mark.parametrize("path", suites()["unconstrained"][::9])
def test_the_first_thing_on_the_menu_leads_to_the_end_where_there_are_no_limits(path: str) -> None:
    assert play_out(world_of(path)).ended == "completed"


def test_a_piece_stops_after_its_seconds() -> None:
    assert Piece(0, "Soup", 300, 20).stop == 320
