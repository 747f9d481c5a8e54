"""Play on the grid: the published world's moves lead to its kitchens, shipped plans of moves are played, what
comes to nothing is refused."""

from __future__ import annotations

import pytest

from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks, OracleCooks, shipped_cooks
from backburner.worlds.collab_grid.game import NO_LIMITS, PRESETS, STANDARD, Action, CollabGrid, State
from backburner.worlds.collab_grid.game.catalogue import optimum_of
from backburner.worlds.collab_grid.game.legality import VERBS
from backburner.worlds.collab_overcooked.game.kitchen_step import Listener
from backburner.worlds.collab_overcooked.game.layout import INTERACT, START, Layout
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import (
    SEATS,
    Body,
    Content,
    Kitchen,
    Lying,
    Move,
)
from backburner.worlds.collab_overcooked.game.state import State as PublishedState
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked.kitchens import (
    ASSISTANT_AT_BOARD,
    CHEF_AT_POT,
    CHEF_AT_SERVING,
    OPEN_KITCHEN,
    POT,
    cell,
    holding,
    kitchen_with,
)

GRID = registry.world("collab_grid/boiled_egg", limits="none")


class Moves(Listener):
    """Keeps each step's moves with the kitchen that they led to."""

    def __init__(self) -> None:
        self.passed_steps: list[tuple[tuple[Move, ...], PublishedState]] = []

    def passed(self, state: PublishedState) -> None:
        self.passed_steps.append((state.moves, state))


def on_the_grid(world: CollabGrid, kitchen: Kitchen, cook: int, move: Move) -> Action:
    """A move of the published world as an action: it names items wherever it takes them, and goes on to start
    what has been started or is gone."""
    number, parameter = move
    if number != INTERACT:
        return Action(VERBS[number])
    grid = world.compiled.grid
    faced = [body.cell + grid.deltas[body.facing] for body in kitchen.bodies]
    if grid.tiles[faced[cook]] == "I":
        return Action("interact", parameter)
    utensil = grid.utensil_at.get(faced[cook])
    content = None if utensil is None else kitchen.content(utensil)
    can_start = content is not None and not content.timer
    if parameter == START and (can_start or (cook == 1 and faced[0] == faced[1])):
        return Action("interact", START)
    return Action("interact")


def played_again(published: CollabOvercooked, agent: str, seed: int) -> int:
    """Steps of a play of the published world that lead to the same kitchens here; all must."""
    policy = packs.part("collab_overcooked", packs.pack("collab_overcooked").agents[agent].path)(published)
    episode = play_now(published, policy, seed=seed, max_steps=400)
    moves = Moves()
    rules = published.rulebook.with_listener(moves)
    state = rules.start(seed)
    for entry in episode.entries:
        state = rules.step(state, decisions_in(published, entry)).state
    world = CollabGrid("collab_grid/user/again", published.scenario, PRESETS[published.rules.name], NO_LIMITS)
    here = world.start(seed)
    for pair, there in moves.passed_steps:
        actions = [on_the_grid(world, here.kitchen, cook, pair[cook]) for cook in (0, 1)]
        here = world.step(here, dict(zip(SEATS, actions, strict=True))).state
        assert here.kitchen == there.kitchen
        assert (here.delivered, here.drawn) == (there.delivered, there.drawn)
        assert here.operations == there.operations or there.ended
    return len(moves.passed_steps)


@pytest.mark.slow
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("agent", ["greedy", "clumsy", "oracle"])
def test_moves_of_the_published_world_lead_to_the_same_kitchens(agent: str, rules: str) -> None:
    ids = registry.expand("collab_overcooked/quick")
    steps = [played_again(registry.world(id, rules=rules), agent, 3) for id in ids]
    assert sum(steps) > 100


@pytest.mark.parametrize("rules", PRESETS)
def test_so_they_do_where_cooks_are_in_each_others_way_and_orders_are_drawn(rules: str) -> None:
    scenario = Scenario(
        (), OPEN_KITCHEN, order_weights={"boiled_egg": 1.0, "gratin": 1.0}, open_orders=2, step_limit=150
    )
    for seed in range(3):
        catalogue = registry.catalogue("collab_overcooked")
        bound = catalogue.build("collab_overcooked/user/x", scenario, rules, "article")
        assert played_again(bound, "clumsy", seed) == 150


@pytest.mark.parametrize("rules", PRESETS)
def test_every_shipped_plan_of_moves_is_played_in_as_many_steps_and_nothing_is_refused(rules: str) -> None:
    for id in registry.expand("collab_grid/all"):
        world: CollabGrid = registry.world(id, rules=rules)
        state, known = world.start(), optimum_of(id, rules)
        assert known is not None and known.status == "optimal"
        episode = play_now(world, OracleCooks(world))
        assert episode.ending is not None
        assert episode.ending.reason == "completed" and episode.ending.numbers["steps"] == known.steps
        assert not any(entry.refusals for entry in episode.entries)
        for entry in episode.entries:  # each action was on the menu
            decisions = decisions_in(world, entry)
            for seat in SEATS:
                assert decisions[seat] in [option.decision for option in world.menu(state, seat).options]
            state = world.step(state, decisions).state


@pytest.mark.parametrize("rules", PRESETS)
def test_greedy_meets_every_published_order_in_time(rules: str) -> None:
    for id in registry.expand("collab_grid/all"):
        world = registry.world(id, rules=rules)
        ending = play_now(world, GreedyCooks(world)).ending
        assert ending is not None and ending.reason == "completed", id


def test_greedy_cooks_who_share_a_room_get_on() -> None:
    scenario = Scenario(("gratin", "boiled_egg", "gratin"), OPEN_KITCHEN)
    world = CollabGrid("collab_grid/user/test", scenario, STANDARD, NO_LIMITS)
    ending = play_now(world, GreedyCooks(world), max_steps=200).ending
    assert ending is not None and ending.reason == "completed"


def test_no_plan_ships_for_orders_of_ones_own_and_one_is_found() -> None:
    world = CollabGrid("collab_grid/user/test", Scenario(("boiled_egg",), OPEN_KITCHEN), STANDARD, NO_LIMITS)
    assert shipped_cooks(world) is None
    ours, theirs = (play_now(world, cooks(world)).ending for cooks in (OracleCooks, GreedyCooks))
    assert ours is not None and theirs is not None
    assert ours.numbers["completed"] and ours.numbers["steps"] <= theirs.numbers["steps"]
    endless = Scenario((), OPEN_KITCHEN, order_weights={"boiled_egg": 1.0})
    with pytest.raises(Refused, match="for ever"):
        OracleCooks(CollabGrid("collab_grid/user/test", endless, STANDARD, NO_LIMITS))


def test_an_oracle_whose_partner_does_something_else_cooks_on() -> None:
    world = registry.world("collab_grid/boiled_egg", limits="none")
    team = {"chef": OracleCooks(world), "assistant": GreedyCooks(world)}
    ending = play_now(world, team, max_steps=100).ending
    assert ending is not None and ending.reason == "completed"


# --- what is refused ------------------------------------------------------------------------------------


def moment(**parts: object) -> State:
    return State(kitchen_with(**parts))  # type: ignore[arg-type]


def codes(state: State, chef: str = "stay", assistant: str = "stay", world: CollabGrid = GRID) -> list[str]:
    decisions = {"chef": world.parse(state, "chef", chef)}
    decisions["assistant"] = world.parse(state, "assistant", assistant)
    return [f"{refusal.seat}: {refusal.code}" for refusal in world.step(state, decisions).refusals]


AT_INGREDIENTS = Body(cell(1, 1), 3)
AT_DISHES = Body(cell(1, 3), 3)
COOKING = Content(POT, ("egg",), "boiled_egg", 1, 3)
READY = Content(POT, ("egg",), "boiled_egg", 3, 3)
UNSTARTED = Content(POT, ("egg",))
AT_POT_WITH_EGG = holding(CHEF_AT_POT, "egg")
FULL_HANDS = ["assistant: hands_full"]
FULL = Content(POT, ("egg", "egg", "egg"))


@pytest.mark.parametrize(
    ("state", "chef", "assistant", "told"),
    [
        (moment(), "north", "stay", ["chef: nothing_to_turn"]),
        (moment(), "south", "stay", []),
        (moment(), "interact", "stay", ["chef: utensil_empty"]),
        (moment(), "interact(start)", "stay", ["chef: utensil_empty"]),
        (moment(), "interact(egg)", "stay", ["chef: takes_no_parameter"]),
        (moment(chef=Body(cell(3, 1), 1)), "interact", "stay", ["chef: faces_nothing"]),
        (moment(contents=(COOKING,)), "interact", "stay", ["chef: utensil_at_work"]),
        (moment(contents=(COOKING,)), "start", "stay", ["chef: utensil_at_work"]),
        (moment(contents=(READY,)), "interact", "stay", []),
        (moment(contents=(UNSTARTED,)), "interact", "stay", ["chef: not_started"]),
        (moment(contents=(UNSTARTED,)), "start", "stay", []),
        (moment(chef=AT_POT_WITH_EGG), "interact", "stay", []),
        (moment(chef=AT_POT_WITH_EGG, contents=(READY,)), "interact", "", ["chef: utensil_ready"]),
        (moment(chef=AT_POT_WITH_EGG, contents=(FULL,)), "interact", "", ["chef: utensil_full"]),
        (moment(chef=CHEF_AT_SERVING), "interact", "stay", ["chef: hands_empty"]),
        (moment(chef=holding(CHEF_AT_SERVING, "egg")), "interact", "stay", ["chef: deliver_not_ordered"]),
        (moment(chef=holding(CHEF_AT_SERVING, "dish")), "interact", "stay", ["chef: deliver_not_food"]),
        (
            moment(chef=holding(CHEF_AT_SERVING, "boiled_egg", plated=True)),
            "interact", "stay", ["chef: deliver_dish_not_wanted"],
        ),
        (moment(chef=holding(CHEF_AT_SERVING, "boiled_egg")), "interact", "stay", []),
        (moment(assistant=AT_INGREDIENTS), "stay", "interact(egg)", []),
        (moment(assistant=AT_INGREDIENTS), "stay", "interact", ["assistant: names_no_ingredient"]),
        (moment(assistant=AT_INGREDIENTS), "stay", "interact(eg)", ["assistant: unknown_ingredient"]),
        (moment(assistant=holding(AT_INGREDIENTS, "egg")), "stay", "interact(egg)", FULL_HANDS),
        (moment(assistant=AT_DISHES), "stay", "interact", []),
        (moment(assistant=AT_DISHES), "stay", "interact(dish)", ["assistant: takes_no_parameter"]),
        (moment(assistant=Body(cell(1, 2), 2)), "stay", "interact", ["assistant: counter_empty"]),
        (
            moment(assistant=holding(Body(cell(1, 2), 2), "egg"), lying=(Lying(cell(2, 2), "egg"),)),
            "stay", "interact", ["assistant: counter_taken"],
        ),
        (moment(), "dance", "north north", ["chef: unreadable", "assistant: unreadable"]),
    ],
)  # fmt: skip
def test_what_comes_to_nothing_is_refused(state: State, chef: str, assistant: str, told: list[str]) -> None:
    told = told + (["assistant: unreadable"] if not assistant else [])
    assert codes(state, chef, assistant) == told


def test_a_refused_action_costs_the_step() -> None:
    step = GRID.step(GRID.start(), {"chef": Action("interact", "start"), "assistant": Action("north")})
    assert step.state.kitchen.steps == 1
    assert [(event.label, event.kind) for event in step.events if event.what == "start"] == [
        ("stay", "refused"),
        ("north", "work"),
    ]
    assert "pot" not in GRID.describe(GRID.observe(step.state, "assistant")).split("\n")[1]


def test_the_assistant_may_reach_for_what_the_chef_puts_down_in_the_same_step() -> None:
    both = kitchen_with(
        chef=holding(Body(cell(3, 2), 3), "boiled_egg"), assistant=Body(cell(1, 2), 2), orders=("boiled_egg",)
    )
    state, act = State(both), Action("interact")
    assert act in [option.decision for option in GRID.menu(state, "assistant").options]
    after = GRID.step(state, {"chef": act, "assistant": act}).state.kitchen
    assert [body.held for body in after.bodies] == ["", "boiled_egg"]
    waited = GRID.step(state, {"chef": Action("stay"), "assistant": act})
    assert not waited.refusals and waited.state.kitchen.bodies[1].held == ""


def test_released_rules_lose_what_nobody_ordered() -> None:
    world = registry.world("collab_grid/boiled_egg", rules="released", limits="none")
    state = moment(chef=holding(CHEF_AT_SERVING, "egg"))
    assert codes(state, "interact", world=world) == []
    assert world.step(state, {"chef": Action("interact"), "assistant": Action("stay")}).state.delivered == 0


def test_a_play_that_is_cut_off_says_so() -> None:
    world = registry.world("collab_grid/boiled_egg")
    state = world.start()
    while world.deciders(state):
        state = world.step(state, dict.fromkeys(SEATS, Action("stay"))).state
    outcome = world.outcome(state)
    assert (outcome.status, outcome.reason, outcome.numbers["steps"]) == ("cut off", "step_limit", 24)


def test_layouts_are_shared_not_copied() -> None:
    published = registry.world("collab_overcooked/boiled_egg").compiled.layout
    assert isinstance(published, Layout) and GRID.compiled.layout is published


def test_both_cooks_start_where_the_published_world_lets_them() -> None:
    published = registry.world("collab_overcooked/boiled_egg").start().kitchen
    assert GRID.start().kitchen == published
    assert GRID.start().kitchen.bodies[1].cell == ASSISTANT_AT_BOARD.cell
