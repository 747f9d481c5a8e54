"""TRL's environment class without TRL; ``integrations/trl`` has its schema and a trainer."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from backburner.agents.models.toolbox import Received
from backburner.agents.planned import world_agent
from backburner.kernel import registry
from backburner.kernel.contract import decision_of
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.training.conversation import Conversation, Setting
from backburner.training.trl import BY_TOOL, BY_TOOLS, OVER, WorldEnvironment, rows, with_tools

COOKING = "timearena/cooking1"


def test_only_act_is_a_tool() -> None:
    public = {name for name, _ in inspect.getmembers(WorldEnvironment, inspect.isfunction) if name[0] != "_"}
    assert public == {"reset", "act", "get_reward"}


def test_a_rollout_of_the_best_plan_is_worth_1() -> None:
    world = registry.world(COOKING)
    episode = play_now(world, world_agent("oracle", world))
    environment = WorldEnvironment()
    assert environment.reset(scenario=COOKING, seed=0, prompt=[], other=3) == (
        f"{Conversation(COOKING).told.text}\n\n{BY_TOOL}"
    )
    for entry in episode.entries:
        decision = decision_of(world, entry.answers["agent"].decision)
        told = environment.act(world.words(decision, "agent"))  # type: ignore[attr-defined]
    assert told.endswith(OVER) and "It is over: completed." in told
    assert environment.act("wait") == told
    assert environment.get_reward() == environment.get_reward() == 1.0


def test_an_instance_that_is_used_again_is_as_a_new_one() -> None:
    used, new = WorldEnvironment(), WorldEnvironment()
    used.reset(scenario=COOKING)
    used.act("pick beef")
    used.act("wait")
    used.get_reward()
    for environment in (used, new):
        environment.reset(scenario="timearena/household1", seed=2)
    assert used.act("wait") == new.act("wait")
    assert used.get_reward() == new.get_reward()
    assert vars(used).keys() == vars(new).keys()


def tools_in(environment: object) -> dict[str, Any]:
    """The public functions of its class, as TRL finds them."""
    found = inspect.getmembers(type(environment), predicate=inspect.isfunction)
    return {name: getattr(environment, name) for name, _ in found if name[0] != "_"}


def test_a_worlds_own_tools_are_methods_and_a_call_is_what_a_model_calls() -> None:
    """The export takes 1 minute of hands and 10 more; nobody sends "moon" anywhere."""
    desk, setting = "desk/made/counter", Setting(method="calls")
    environment = with_tools(desk, setting)()
    tools = tools_in(environment)
    conversation = Conversation(desk, 0, setting)
    assert tools.keys() - {"reset", "get_reward"} == {each["function"]["name"] for each in conversation.tools}
    assert str(inspect.signature(tools["report"])) == "(*, subject: str, total: int)"
    assert inspect.signature(tools["wait"]).parameters["until"].annotation == str | None
    assert inspect.getdoc(tools["export"]).endswith('what the job is about (choices: ["orders", "refunds"])')
    assert environment.reset(desk) == f"{conversation.told.text}\n\n{BY_TOOLS}"
    for name, given in (("export", {"subject": "orders"}), ("wait", {}), ("export", {"self": "moon"})):
        told = conversation.reply("", calls=[Received(name, json.dumps(given))])
        assert tools[name](**given) == told.text
    assert '"refused":"unreadable_call"' in told.text and environment.get_reward() == 0.0


def test_rows_of_other_tools_and_methods_without_any_are_refused() -> None:
    environment = with_tools(COOKING, Setting(method="calls@why=on"))()
    assert "why" in inspect.signature(tools_in(environment)["wait"]).parameters
    assert environment.reset(COOKING).endswith(BY_TOOLS)
    assert json.loads(tools_in(environment)["wait"](why="rice").partition("\n")[0])["ok"]
    with pytest.raises(Refused, match="desk/made/counter has other tools"):
        environment.reset("desk/made/counter")
    with pytest.raises(Refused, match="no tools to call; method=calls has some"):
        with_tools(COOKING, Setting())
    with pytest.raises(Refused, match="with_tools makes one"):
        WorldEnvironment(Setting(method="calls")).reset(COOKING)


def test_what_was_left_in_its_midst_is_paid_as_far_as_it_went() -> None:
    world = registry.world(COOKING)
    episode = play_now(world, world_agent("oracle", world))
    environment = WorldEnvironment()
    environment.reset(scenario=COOKING)
    for entry in episode.entries[:-3]:
        decision = decision_of(world, entry.answers["agent"].decision)
        environment.act(world.words(decision, "agent"))  # type: ignore[attr-defined]
    assert 0 < environment.get_reward() < 1
    environment.reset(scenario=COOKING)
    assert environment.get_reward() == 0.0


def test_a_reset_that_fails_leaves_nothing_of_the_episode_before() -> None:
    environment = WorldEnvironment()
    environment.reset(scenario=COOKING)
    with pytest.raises(UnknownName):
        environment.reset(scenario="timearena/nothing")
    for call in (lambda: environment.act("wait"), environment.get_reward):
        with pytest.raises(Refused, match="reset begins an episode"):
            call()


@pytest.mark.parametrize(
    ("row", "told"),
    [({}, "it has none"), ({"prompt": [], "id": 1}, "it has id, prompt"), ({"scenario": None}, "column")],
)
def test_a_row_without_a_scenario_is_told_what_it_lacks(row: dict[str, object], told: str) -> None:
    with pytest.raises(Refused, match=told):
        WorldEnvironment().reset(**row)  # type: ignore[arg-type]


def test_a_seed_that_is_none_is_refused() -> None:
    with pytest.raises(Refused, match="column 'seed'"):
        WorldEnvironment().reset(scenario=COOKING, seed="1")  # type: ignore[arg-type]


def test_a_single_name_is_no_row_of_letters() -> None:
    assert rows("timearena/household1") == rows(["timearena/household1"])


def test_rows_have_every_scenario_with_every_seed() -> None:
    made = rows(["timearena/singles/cooking", "timearena/household1"], seeds=range(3))
    assert len(made) == 33 and len({(row["scenario"], row["seed"]) for row in made}) == 33
    environment = WorldEnvironment(Setting())
    assert "Your action?" in environment.reset(**made[0])
