"""Scenario files of a user's own: a good one plays, and every mistake is one message.

The message names the file, the task and the field, and the nearest known name where one is unknown.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BackburnerError, BadFile
from backburner.worlds.timearena.game import RELEASED, STANDARD, TimeArena
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import play_out

SOUP: dict[str, Any] = {
    "id": "soup",
    "scenario": "cooking",
    "number": 1,
    "title": "Leek soup",
    "goal": "Serve leek soup: a bowl with blended leek.",
    "verbs": ["chop", "cook in", "blend with", "rinse"],
    "actions": [
        {"verb": "chop", "things": ["leek"]},
        {"verb": "cook in", "things": ["leek", "pot"]},
        {"verb": "rinse", "things": ["stick_blender"]},
        {"verb": "blend with", "things": ["leek", "stick_blender"]},
    ],
    "things": [
        {
            "name": "leek",
            "roles": [
                {"verb": "chop", "slot": 0, "minutes": 3, "before": "whole", "after": "sliced"},
                {
                    "verb": "cook in",
                    "slot": 1,
                    "minutes": 8,
                    "before": "raw",
                    "after": "cooked",
                    "needs": [["leek", "chop", 0]],
                },
                {
                    "verb": "blend with",
                    "slot": 1,
                    "minutes": 2,
                    "before": "in pieces",
                    "after": "smooth",
                    "needs": [["leek", "cook in", 1]],
                },
            ],
        },
        {"name": "pot", "roles": [{"verb": "cook in", "slot": 2, "minutes": 0, "before": "empty"}]},
        {
            "name": "stick_blender",
            "roles": [
                {"verb": "rinse", "slot": 0, "minutes": 1, "before": "dusty", "after": "clean"},
                {
                    "verb": "blend with",
                    "slot": 2,
                    "minutes": 0,
                    "needs": [["stick_blender", "rinse", 0]],
                },
            ],
        },
    ],
}

BLEND = {
    "name": "blend with",
    "form": "blend OBJ1 with OBJ2",
    "occupies_agent": True,
    "gloss": "blend soft food until it is smooth",
}

SCENARIO: dict[str, Any] = {
    "world": "timearena",
    "id": "soup-and-rice",
    "tasks": [SOUP, "cooking1"],
    "verbs": [BLEND],
}


def written(folder: Path, scenario: Any) -> str:
    file = folder / "mine.json"
    file.write_text(scenario if isinstance(scenario, str) else json.dumps(scenario))
    return str(file)


def opened(folder: Path, scenario: Any, rules: Any = "standard") -> TimeArena:
    world = registry.world(written(folder, scenario), rules=rules)
    assert isinstance(world, TimeArena)
    return world


# --- a good one ---------------------------------------------------------------------------------------


def test_a_task_with_a_verb_of_its_own_plays(tmp_path: Path) -> None:
    """leek chopped 0-3, cooks 3-11; the blender is rinsed 4-5; wait 5-11, blend 11-13."""
    world = opened(tmp_path, {**SCENARIO, "tasks": [SOUP]})
    assert world.id == "timearena/user/soup-and-rice"
    state = world.start()
    minutes = []
    blend = "I will blend the leek with the stick blender."
    for text in ("chop leek", "cook leek in pot", "rinse stick_blender", *["wait"] * 6, blend):
        state = world.step(state, {AGENT: world.parse(state, AGENT, text)}).state
        minutes.append(state.minute)
    assert minutes == [3, 4, 5, 6, 7, 8, 9, 10, 11, 13]
    assert state.ended == "completed"
    assert "leek is smooth." in world.describe(world.observe(state, AGENT))
    assert "- blend OBJ1 with OBJ2: blend soft food until it is smooth" in world.briefing(AGENT)


@pytest.mark.parametrize("rules", [STANDARD, RELEASED])
@pytest.mark.parametrize("kit", ["own", "one"])
def test_it_combines_with_a_shipped_task(tmp_path: Path, rules: object, kit: str) -> None:
    world = opened(tmp_path, {**SCENARIO, "kit": kit}, rules)
    names = [item.name for item in world.compiled.items]
    assert names[:4] == ["leek", "pot_1" if kit == "own" else "pot", "stick_blender", "rice"]
    assert play_out(world).ended == "completed"


def test_kit_of_one_kind_can_do_what_any_of_it_can(tmp_path: Path) -> None:
    """The soup steams in a pot, cooking1 cooks in one: either pot will do, and so will the only one."""
    steam = {"name": "steam over", "form": "steam OBJ1 over OBJ2", "occupies_agent": False, "gloss": "steam"}
    soup = json.loads(json.dumps(SOUP).replace("cook in", "steam over"))
    for kit in ("own", "one"):
        world = opened(
            tmp_path, {**SCENARIO, "tasks": ["cooking1", soup], "verbs": [BLEND, steam], "kit": kit}
        )
        assert play_out(world).ended == "completed"


def test_a_record_of_it_needs_no_file(tmp_path: Path) -> None:
    """The header carries the scenario: what is written as JSON builds the same world."""
    world = opened(tmp_path, SCENARIO)
    plain = msgspec.json.decode(msgspec.json.encode([world.scenario, world.rules, world.limits]))
    again = registry.catalogue("timearena").restore(world.id, *plain)
    assert again.scenario == world.scenario
    assert again.briefing(AGENT) == world.briefing(AGENT)


# --- mistakes -----------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


def soup(scenario: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = scenario["tasks"][0]
    return found


def role(scenario: dict[str, Any], thing: int, number: int) -> dict[str, Any]:
    found: dict[str, Any] = soup(scenario)["things"][thing]["roles"][number]
    return found


MISTAKES: dict[str, tuple[Change, str]] = {
    # of the file
    "empty tasks": (lambda s: s.update(tasks=[]), "field 'tasks': 0 entries; at least one is needed"),
    "no tasks": (lambda s: s.pop("tasks"), "Object missing required field `tasks`"),
    "unknown field": (lambda s: s.update(taks=[]), "Object contains unknown field `taks`"),
    "bad id": (
        lambda s: s.update(id="my soup"),
        "field 'id': 'my soup': use letters, digits and _ . + -",
    ),
    "bad kit": (lambda s: s.update(kit="two"), "field 'kit': Invalid enum value 'two'"),
    "shipped task with a typo": (
        lambda s: s["tasks"].append("cookin2"),
        "tasks[2] 'cookin2': unknown task 'cookin2'; did you mean cooking2",
    ),
    "tasks of one id": (
        lambda s: s["tasks"].append({**soup(s), "title": "Another"}),
        "tasks[0] 'soup': two different tasks have this id",
    ),
    # of a verb
    "verb without form": (
        lambda s: s["verbs"][0].pop("form"),
        "verbs[0] 'blend with': Object missing required field `form`",
    ),
    "verb of another form": (
        lambda s: s["verbs"][0].update(form="mix OBJ1 with OBJ2"),
        "verbs[0] 'blend with', field 'form': 'mix OBJ1 with OBJ2' is not this verb with OBJ, or",
    ),
    "verb with a sign": (
        lambda s: s["verbs"][0].update(name="blend+ with", form="blend+ OBJ1 with OBJ2"),
        "verbs[0] 'blend+ with', field 'name': 'blend+ with': use one or two words",
    ),
    "a second wait": (
        lambda s: s["verbs"].append({**BLEND, "name": "wait", "form": "wait OBJ"}),
        "verbs[1] 'wait', field 'name': wait, quit and exit have meanings of their own",
    ),
    "verb twice": (
        lambda s: s["verbs"].append(BLEND),
        "'blend with' stands here twice",
    ),
    "verb that does not say who is busy": (
        lambda s: s["verbs"][0].update(occupies_agent=None),
        "tasks[0] 'soup', verbs[2] 'blend with': nothing says whether it occupies the agent",
    ),
    # of a task
    "unknown verb": (
        lambda s: soup(s).update(verbs=["chopp", *soup(s)["verbs"]]),
        "tasks[0] 'soup', verbs[0] 'chopp': unknown verb 'chopp'; did you mean chop",
    ),
    "missing field": (lambda s: soup(s).pop("goal"), "tasks[0] 'soup': Object missing required field `goal`"),
    "wrong type": (
        lambda s: soup(s).update(number="one"),
        "tasks[0] 'soup', field 'number': Expected `int`, got `str`",
    ),
    "no actions": (
        lambda s: soup(s).update(actions=[], things=[]),
        "tasks[0] 'soup', field 'actions': 0 entries; at least one is needed",
    ),
    # of a thing
    "thing twice": (
        lambda s: soup(s)["things"].append(soup(s)["things"][0]),
        "tasks[0] 'soup', things[0] 'leek': stands twice; only pot, fryer, oven may",
    ),
    "name in capitals": (
        lambda s: soup(s)["things"].append({"name": "Leek", "roles": []}),
        "tasks[0] 'soup', things[3] 'Leek', field 'name': 'Leek': use small letters",
    ),
    "name with a number of its own": (
        lambda s: soup(s)["things"].append({"name": "leek_2", "roles": []}),
        "tasks[0] 'soup', things[3] 'leek_2', field 'name': 'leek_2': use small letters",
    ),
    "name with two underscores": (
        lambda s: soup(s)["things"].append({"name": "leek__green", "roles": []}),
        "tasks[0] 'soup', things[3] 'leek__green', field 'name': 'leek__green': use small letters",
    ),
    # of what is spare
    "all spare": (
        lambda s: [action.update(spare=True) for action in soup(s)["actions"]],
        "tasks[0] 'soup', field 'actions': every action is spare; at least one is required",
    ),
    "spare and needed": (
        lambda s: soup(s)["actions"][2].update(spare=True),
        "'blend leek with stick_blender' needs 'rinse stick_blender', which is spare",
    ),
    "no time at all": (lambda s: s.update(limit=0), "field 'limit': is 0; it is from 1 to 1000000"),
    # of a role
    "bad slot": (
        lambda s: role(s, 0, 0).update(slot=3),
        "tasks[0] 'soup', things[0] 'leek', roles[0] 'chop', field 'slot': Invalid enum value 3",
    ),
    "slot that does not fit": (
        lambda s: role(s, 0, 2).update(slot=0),
        "roles[2] 'blend with', field 'slot': slot 0 does not fit the form 'blend OBJ1 with OBJ2'",
    ),
    "role twice": (
        lambda s: soup(s)["things"][0]["roles"].append(role(s, 0, 0)),
        "tasks[0] 'soup', things[0] 'leek', roles[3] 'chop': 'chop 0' stands here twice",
    ),
    "role of an unlisted verb": (
        lambda s: soup(s)["verbs"].remove("rinse"),
        "tasks[0] 'soup', actions[2] 'rinse', field 'verb': unknown verb 'rinse'; known: chop,",
    ),
    "no minutes": (
        lambda s: role(s, 0, 0).update(minutes=0),
        "tasks[0] 'soup', things[0] 'leek', roles[0] 'chop': needs at least 1 minute",
    ),
    "no state after": (
        lambda s: role(s, 0, 0).pop("after"),
        "tasks[0] 'soup', things[0] 'leek', roles[0] 'chop': needs at least 1 minute, and the states",
    ),
    "second thing with minutes": (
        lambda s: role(s, 1, 0).update(minutes=4),
        "things[1] 'pot', roles[0] 'cook in', field 'minutes': a second object has 0 minutes",
    ),
    "kit with a need": (
        lambda s: role(s, 1, 0).update(needs=[["leek", "chop", 0]]),
        "tasks[0] 'soup', things[1] 'pot', roles[0] 'cook in': any task may use a pot",
    ),
    "kit with minutes": (
        lambda s: soup(s)["things"][1]["roles"].append(
            {"verb": "rinse", "slot": 0, "minutes": 1, "before": "dusty", "after": "clean"}
        ),
        "tasks[0] 'soup', things[1] 'pot', roles[1] 'rinse': any task may use a pot",
    ),
    "need that does not exist": (
        lambda s: role(s, 0, 1).update(needs=[["leek", "wash", 0]]),
        "things[0] 'leek', roles[1] 'cook in', needs[0]: unknown role 'leek wash 0'; did you mean",
    ),
    "need of a thing that does not exist": (
        lambda s: role(s, 0, 1).update(needs=[["leak", "chop", 0]]),
        "unknown role 'leak chop 0'; did you mean leek chop 0?",
    ),
    "needs in a circle": (
        lambda s: role(s, 0, 0).update(needs=[["leek", "blend with", 1]]),
        "tasks[0] 'soup', field 'actions': a circle: ",
    ),
    # of an action
    "action missing": (
        lambda s: soup(s)["actions"].pop(0),
        "tasks[0] 'soup', field 'actions': no action for 'chop leek'",
    ),
    "action twice": (
        lambda s: soup(s)["actions"].append(soup(s)["actions"][0]),
        "tasks[0] 'soup', actions[4] 'chop': 'chop leek' stands here twice",
    ),
    "action with an unknown thing": (
        lambda s: soup(s)["actions"][0].update(things=["leak"]),
        "tasks[0] 'soup', actions[0] 'chop', field 'things': 'leak' has no role 'chop' with slot 0",
    ),
    "action with an unknown verb": (
        lambda s: soup(s)["actions"][0].update(verb="chopp"),
        "tasks[0] 'soup', actions[0] 'chopp', field 'verb': unknown verb 'chopp'; did you mean chop?",
    ),
    "action without things": (
        lambda s: soup(s)["actions"][0].update(things=[]),
        "tasks[0] 'soup', actions[0] 'chop', field 'things': the form 'chop OBJ' takes 1 thing",
    ),
    "action with too many things": (
        lambda s: soup(s)["actions"][0].update(things=["leek", "pot"]),
        "tasks[0] 'soup', actions[0] 'chop', field 'things': the form 'chop OBJ' takes 1 thing",
    ),
    "action of a thing with itself": (
        lambda s: soup(s)["actions"][3].update(things=["leek", "leek"]),
        "tasks[0] 'soup', actions[3] 'blend with', things[1] 'leek': 'leek' stands here twice",
    ),
    "script after nothing": (
        lambda s: soup(s)["actions"][1].update(script_after=["chop leak"]),
        "tasks[0] 'soup', actions[1] 'cook in', field 'script_after': unknown action 'chop leak'; did you",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message(tmp_path: Path, mistake: str) -> None:
    change, message = MISTAKES[mistake]
    scenario = copy.deepcopy(SCENARIO)
    change(scenario)
    file = written(tmp_path, scenario)
    with pytest.raises(BadFile) as caught:
        registry.world(file)
    told = str(caught.value)
    assert told.startswith(f"{file}: ") and "\n" not in told
    assert message in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "field 'world'"),
        ('{"tasks": []}', "field 'world': names the world of the scenario: "),
    ],
)
def test_what_is_no_scenario_file(tmp_path: Path, text: str, message: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(BadFile) as caught:
        registry.world(file)
    assert str(caught.value).startswith(f"{file}: ") and message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        registry.world(str(tmp_path / "none.json"))


def test_a_file_of_an_unknown_world(tmp_path: Path) -> None:
    with pytest.raises(BackburnerError, match="unknown world 'timearna'; did you mean timearena"):
        registry.world(written(tmp_path, {**SCENARIO, "world": "timearna"}))
