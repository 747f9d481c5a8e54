"""Tasks put together: how things are named, whose they are, what is required."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.registry import expand, world
from backburner.worlds.timearena.game import RELEASED, Act
from backburner.worlds.timearena.game.scenarios import SCENARIOS, suites
from support.timearena.play import Game, play_out, standard_but, world_of


def names(path: str) -> list[str]:
    return [item.name for item in world_of(path).compiled.items]


def after(path: str, action: str, rules: object = "standard") -> set[str]:
    required = {r.name: r for r in world_of(path, rules).compiled.required}
    return set(required[action].after)


# --- names ------------------------------------------------------------------------------------------


def test_a_task_alone_keeps_its_plain_names() -> None:
    assert names("cooking1") == ["rice", "beef", "pot", "fryer", "dish"]


def test_what_occurs_twice_is_numbered_even_within_one_task() -> None:
    assert names("cooking2") == ["noodle", "mushroom", "shrimp", "fryer_1", "fryer_2", "pot", "dish"]


def test_numbers_go_through_all_tasks_in_order() -> None:
    assert names("cooking1+cooking2") == [
        "rice", "beef", "pot_1", "fryer_1", "dish_1",
        "noodle", "mushroom", "shrimp", "fryer_2", "fryer_3", "pot_2", "dish_2",
    ]  # fmt: skip


def test_the_order_of_tasks_decides_the_numbers() -> None:
    one, other = world_of("cooking1+cooking3"), world_of("cooking3+cooking1")
    assert one.compiled.item["dish_1"].thing.roles[0].minutes == 3
    assert other.compiled.item["dish_1"].thing.roles[0].minutes == 2


def test_one_kit_for_all() -> None:
    """Article, section 4.4: the first pot and the first fryer stay, under their plain names."""
    assert names("cooking1+cooking2@kit=one") == [
        "rice", "beef", "pot", "fryer", "dish_1", "noodle", "mushroom", "shrimp", "dish_2",
    ]  # fmt: skip
    assert names("cooking2@kit=one") == ["noodle", "mushroom", "shrimp", "fryer", "pot", "dish"]
    assert names("lab1+lab2@kit=one") == names("lab1+lab2")  # no kit in the laboratory


def test_one_fryer_makes_the_second_thing_wait() -> None:
    """Two fryers take mushroom 6-8 and shrimp 7-11; with one fryer the shrimp is refused at 7."""
    before = ("pick mushroom", "pick shrimp", "chop mushroom")  # 0-2, 2-3, 3-6
    two = Game("cooking2").say(*before, "fry mushroom in fryer_1", "chop shrimp", "fry shrimp in fryer_2")
    one = Game("cooking2@kit=one").say("pick shrimp", "chop shrimp", "pick mushroom", "chop mushroom")
    one.say("fry shrimp in fryer", "fry mushroom in fryer")
    assert two.refused == ""
    assert (one.refused, one.refusal.get("object")) == ("object_occupied", "fryer")


# --- owners -----------------------------------------------------------------------------------------


def test_numbered_things_are_marked_as_their_tasks_own() -> None:
    items = world_of("cooking1+cooking2").compiled.items
    assert {item.name: item.task for item in items if item.renamed} == {"dish_1": 0, "dish_2": 1}
    assert "dish_2 (only for task 2)" in world_of("cooking1+cooking2").briefing("agent")


def test_kit_is_nobodys_own() -> None:
    items = world_of("cooking1+cooking2").compiled.items
    assert not any(item.renamed for item in items if item.kit)
    assert {item.base for item in items if item.kit} == {"pot", "fryer"}


# --- one task twice ---------------------------------------------------------------------------------


def test_a_task_twice() -> None:
    assert names("lab1+lab1") == ["test_tube_1", "solution_1", "test_tube_2", "solution_2"]
    assert after("lab1+lab1", "heat test_tube_2") == {"add solution_2 to test_tube_2"}
    assert after("lab1+lab1", "heat test_tube_2", "released") == {"add solution_1 to test_tube_1"}


def test_a_task_twice_can_be_completed() -> None:
    for path in ("cooking2+cooking2", "household1+household1", "lab8+lab8+lab8"):
        assert play_out(world_of(path)).ended == "completed"


def test_merged_copies_bear_the_later_number_in_the_release() -> None:
    assert "solution_1 (only for task 1)" in world_of("lab1+lab1").briefing("agent")
    assert "solution_1 (only for task 2)" in world_of("lab1+lab1", "released").briefing("agent")


# --- mixed scenarios --------------------------------------------------------------------------------


def test_scenarios_may_be_mixed() -> None:
    mixed = world_of("cooking1+household1+lab1")
    assert mixed.scenario.kind == "mixed"
    assert {world_of(f"{kind}1+{kind}2").scenario.kind for kind in SCENARIOS} == set(SCENARIOS)
    assert play_out(mixed).ended == "completed"


def test_a_verb_may_be_common_to_scenarios() -> None:
    """ "heat" is used at the ironing board and in the laboratory; it never takes the agent's time."""
    game = Game("household6+lab10").say("find copper_sulfate_solution", "heat copper_sulfate_solution")
    assert game.say("heat iron").refused == "" and len(game.state.running) == 2


def test_names_within_names_stay_apart() -> None:
    """household6 has an iron, lab4 an iron_nail: neither is numbered, neither is taken for the other."""
    for rules in ("standard", "released"):
        assert after("household6+lab4", "iron suit", rules) == {"put suit on ironing_board", "heat iron"}
        assert after("lab4+household6", "soak iron_nail in copper_sulfate_solution", rules) == {
            "polish iron_nail",
            "dilute copper_sulfate_solution",
        }


# --- what is required -------------------------------------------------------------------------------


def test_required_actions_name_their_own_tasks_things() -> None:
    required = {r.name: r for r in world_of("cooking1+cooking7").compiled.required}
    assert required["add rice_2 to dish_2"].acts == (Act("add to", "rice_2", "dish_2"),)
    assert set(required["add rice_2 to dish_2"].after) == {"fry rice_2 in fryer", "wash dish_2"}


def test_any_kit_of_the_kind_will_do() -> None:
    required = {r.name: r for r in world_of("cooking1+cooking7").compiled.required}
    assert required["cook rice_1 in pot"].acts == (
        Act("cook in", "rice_1", "pot_1"),
        Act("cook in", "rice_1", "pot_2"),
    )
    assert required["cook rice_1 in pot"].kit == "pot"


def test_requirements_left_out_are_put_back_by_default() -> None:
    action = "pour coffee_machine into cup"
    assert after("household7", action) == {"wash cup", "activate coffee_machine"}
    assert after("household7", action, "released") == {"wash cup"}


# --- allow-lists of the release ---------------------------------------------------------------------


def test_released_lists_hold_renamed_things_only() -> None:
    """Of all first things only the two noodles are renamed, so each dish takes a noodle alone."""
    assert world_of("cooking2+cooking3", RELEASED).compiled.allow_lists == {
        "dish_1": {"noodle_1"},
        "dish_2": {"noodle_2"},
    }
    assert world_of("cooking1+cooking2", RELEASED).compiled.allow_lists == {}
    assert world_of("cooking2+cooking3").compiled.allow_lists is None


def test_without_lists_things_go_together_within_a_task() -> None:
    compiled = world_of("cooking1+cooking2", standard_but(any_pair_counts=True)).compiled
    assert compiled.kept_apart("rice", "dish_2")
    assert not compiled.kept_apart("rice", "dish_1")
    assert not compiled.kept_apart("rice", "pot_2")


# --- ids and suites ---------------------------------------------------------------------------------


def test_the_published_sets_are_rings() -> None:
    """Task i with the next one or two, the tenth with the first: 10 for each scenario and size."""
    found = suites()
    assert len(found["singles"]) == len(found["pairs"]) == len(found["triples"]) == 30
    assert found["pairs/lab"][-1] == "lab10+lab1"
    assert found["triples/cooking"][-2:] == (
        "cooking9+cooking10+cooking1",
        "cooking10+cooking1+cooking2",
    )
    assert len(set(found["all"])) == 90
    assert [len(found[f"every-pair/{kind}"]) for kind in SCENARIOS] == [45] * 3
    assert [len(found[f"every-triple/{kind}"]) for kind in SCENARIOS] == [120] * 3


def test_every_member_of_a_suite_is_a_scenario() -> None:
    for suite in suites():
        if not suite.startswith("every-"):
            for id in expand(f"timearena/{suite}"):
                assert world(id).id == id


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("timearena/cookin1", "unknown task 'cookin1' in timearena; did you mean cooking1"),
        ("timearena/cooking1+lab11", "did you mean lab1"),
        ("timearena/cooking1@kits=one", "unknown option 'kits' in timearena; did you mean kit?"),
        ("timearena/cooking1@kit=on", "unknown value of option 'kit' 'on'"),
        ("timearena/cooking1+", "unknown task ''"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(id: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        world(id)
    assert message in str(caught.value)


def test_an_id_without_a_scenario_is_refused() -> None:
    with pytest.raises(Refused, match="name a scenario"):
        world("timearena/")


@pytest.mark.parametrize("preset", ["rules", "limits"])
def test_an_unknown_preset_is_told_with_its_world(preset: str) -> None:
    with pytest.raises(UnknownName, match="in timearena"):
        world("timearena/cooking1", **{preset: "nonesuch"})
