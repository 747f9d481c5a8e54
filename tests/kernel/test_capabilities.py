"""A world that subclasses a capability writes what is its own; the rest has defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.assessment import Assessment
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Problem, Schedulable, perform, problem_of
from backburner.kernel.text import LINE_FORM, Examples, Part, Text
from backburner.kernel.view import Scene, View
from support.small_worlds.bench import Bench, Do
from support.small_worlds.mute import Mute
from support.small_worlds.relay import Relay

CAPABILITIES = (Menus, Text, Examples, View, Schedulable)


class Plain(Menus[str, str], Text[str, str, str], Examples, View[str, str], Schedulable[str]):
    """Nothing but what has no default."""

    def menu(self, state: str, seat: str) -> Menu[str]:
        return Menu((Option("go", "go"),), complete=True)

    def briefing_parts(self, seat: str) -> Sequence[Part]:
        return (Part("role", "You are "), Part("role", seat))

    def description_parts(self, observation: str) -> Sequence[Part]:
        return (Part("state", observation),)

    def parse(self, state: str, seat: str, answer: str) -> str:
        return answer

    def words(self, decision: str, seat: str = "") -> str:
        return decision

    def scene(self, state: str, seat: str | None = None) -> Scene:
        return Scene(1, 1)

    def problems(self) -> Mapping[str, Problem]:
        return {}


def test_what_is_left_out_has_a_default() -> None:
    plain = Plain()
    assert plain.verbs == {} and plain.together(["go"]) == "go"
    assert (plain.briefing("ann"), plain.describe("It rains.")) == ("You are ann", "It rains.")
    assert (plain.plan_form, plain.answers_in("1. go\n2. stop")) == (LINE_FORM, ("go", "stop"))
    assert (plain.typing_help, plain.typed("go"), plain.question("It rains.")) == ("", "go", None)
    assert plain.between("", {}) == () and list(plain.controls.entries()) == []


def test_what_a_world_does_not_offer_is_refused() -> None:
    plain = Plain()
    with pytest.raises(Refused, match="how decisions are joined"):
        plain.together(["go", "stop"])
    with pytest.raises(Refused, match="names no scenario in which its play is shown"):
        plain.demonstration("ann")
    with pytest.raises(Refused, match="no worked example"):
        plain.worked_plan()
    with pytest.raises(Refused, match="no problem stands for the whole scenario"):
        plain.plan({})


@pytest.mark.parametrize("capability", [Menus, Text, View, Schedulable])
def test_what_has_no_default_has_to_be_written(capability: Any) -> None:
    with pytest.raises(TypeError, match="abstract"):
        type("Forgetful", (capability,), {})()


def test_a_world_is_asked_for_what_it_offers() -> None:
    relay, bench, mute = Relay(), Bench(), Mute()
    assert all(isinstance(world, World) for world in (relay, bench, mute))
    assert [isinstance(relay, each) for each in CAPABILITIES] == [True, True, False, True, False]
    assert all(isinstance(bench, each) for each in CAPABILITIES)
    assert not any(isinstance(mute, each) for each in CAPABILITIES)


def test_a_schedule_of_the_whole_scenario_is_performed() -> None:
    bench = Bench()
    assert [activity.name for activity in problem_of(bench).activities] == ["saw", "plane", "sweep"]
    played = perform(bench, {"saw": 0, "plane": 4, "sweep": 6})
    assert played.decisions == (Do("saw"), Do(""), Do("plane"), Do("sweep"))
    assert (played.words[1], played.finished_at("minutes")) == ("wait", 7)
    with pytest.raises(Refused, match="relay/door: this world does not state its scenario"):
        problem_of(Relay())


def test_of_a_world_that_nobody_knows_metrics_say_nothing() -> None:
    assert registry.assessment(Relay()) == Assessment()
    assert registry.assessment(registry.world("timearena/cooking1")) == Assessment()
    assert registry.assessment(registry.world("recipe2plan/Vada")).critics is not None
