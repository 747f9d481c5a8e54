"""The kit passes good worlds, and for each planted fault it names the demand that is not met."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from backburner.agents.scripted import FirstLegalPolicy
from backburner.kernel import packs
from backburner.kernel.pack import Pack
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.testing import ContractViolation, check_world
from support.small_worlds.bench import Bench, assessment
from support.small_worlds.hourglass import CLOCK_FAULTS, Hourglass
from support.small_worlds.mute import Mute
from support.small_worlds.planted_bench_faults import ASSESSED
from support.small_worlds.planted_bench_faults import FAULTS as BENCH_FAULTS
from support.small_worlds.planted_faults import FAULTS
from support.small_worlds.planted_silences import FAULTS as SILENCES
from support.small_worlds.quiet_bench import PassingBench, QuietBench
from support.small_worlds.relay import Limits, Relay


def test_the_relay_passes_and_every_check_finds_something_to_look_at() -> None:
    """Between the three worlds: what the one lacks another has."""
    relay, bench = Relay(), Bench()
    of_the_glass = check_world(Hourglass())
    assert of_the_glass.ran["silences_add_up"] > 100
    checked = check_world(relay, hidden_variants=relay.hidden_variants)
    assert checked.episodes == 5
    of_the_bench = check_world(bench, assessment=assessment(bench))
    lacking = checked.not_checked.keys() & of_the_bench.not_checked.keys() & of_the_glass.not_checked.keys()
    elsewhere = {"demonstrations_come_to_an_end", "estimates_are_passed_by_no_play"}
    assert lacking == elsewhere
    assert min(checked.ran.values()) > 0
    ran = Counter(checked.ran) + Counter(of_the_bench.ran) + Counter(of_the_glass.ran)
    known = checked.ran.keys() | of_the_bench.ran.keys() | of_the_glass.ran.keys()
    assert ran.keys() | {"demonstrations_come_to_an_end"} == known


def test_the_same_seed_looks_at_the_same_cases() -> None:
    assert check_world(Relay(), episodes=2, seed=3) == check_world(Relay(), episodes=2, seed=3)


@pytest.mark.parametrize(("world", "check"), [pytest.param(*fault, id=fault[0].__name__) for fault in FAULTS])
def test_a_planted_fault_is_caught(world: type[Relay], check: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_world(planted := world(), hidden_variants=planted.hidden_variants)
    assert caught.value.check == check, caught.value
    assert str(caught.value).startswith("relay/door: seed ")


@pytest.mark.parametrize(
    ("world", "check"), [pytest.param(*fault, id=fault[0].__name__) for fault in BENCH_FAULTS]
)
def test_a_fault_in_a_capability_is_caught(world: type[Bench], check: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_world(world())
    assert caught.value.check == check, caught.value
    assert str(caught.value).startswith("bench/shelf: seed ")


@pytest.mark.parametrize(("world", "check"), CLOCK_FAULTS)
def test_a_fault_in_a_clock_is_caught(world: type[Hourglass], check: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_world(world())
    assert caught.value.check == check, caught.value


@pytest.mark.parametrize("world", [QuietBench(), PassingBench()], ids=lambda world: world.id)
def test_silence_may_be_a_decision_of_its_own_or_to_pass(world: Bench) -> None:
    ran = check_world(world, episodes=3).ran
    assert min(count for check, count in ran.items() if check.startswith("silence")) > 0


@pytest.mark.parametrize(
    ("world", "check"), [pytest.param(*fault, id=fault[0].__name__) for fault in SILENCES]
)
def test_a_fault_in_a_silence_is_caught(world: type[Any], check: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_world(world())
    assert caught.value.check == check, caught.value


@pytest.mark.parametrize(("name", "make", "check"), ASSESSED)
def test_a_fault_in_an_assessment_is_caught(name: str, make: Any, check: str) -> None:
    world = Bench()
    with pytest.raises(ContractViolation) as caught:
        check_world(world, assessment=make(world))
    assert caught.value.check == check, caught.value


class Idler:
    """Waits and waits."""

    name = "idler"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Any) -> None:
        """Nothing is looked at."""

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply("wait")


@pytest.mark.parametrize(("who", "ends"), [(Idler, False), (lambda world: FirstLegalPolicy(), True)])
def test_a_demonstration_comes_to_an_end(monkeypatch: pytest.MonkeyPatch, who: Any, ends: bool) -> None:
    """As whoever the pack names plays it."""
    pack = Pack(name="bench", title="", version=1, catalogue="", demonstrator="bench:who")
    monkeypatch.setattr(packs, "installed", lambda: packs.Installed({"bench": pack}, {}))
    monkeypatch.setattr(packs, "part", lambda name, path: who)
    if ends:
        assert check_world(Bench(), episodes=1).ran["demonstrations_come_to_an_end"] == 1
        return
    with pytest.raises(ContractViolation, match="demonstrations_come_to_an_end"):
        check_world(Bench(), episodes=1)


def test_the_kit_says_what_it_could_not_check() -> None:
    not_checked = check_world(Mute()).not_checked
    assert not_checked["menus_offer_something"] == "the world offers no Menus"
    assert not_checked["words_are_read_back"] == "the world offers no Text"
    assert not_checked["hidden_facts_stay_hidden"] == "no hidden_variants given"


def test_an_end_that_is_never_reached_is_not_checked() -> None:
    checked = check_world(Relay(Limits(steps=1000)), episodes=1, max_steps=3)
    assert checked.steps == 3
    assert "max_steps" in checked.not_checked["what_is_over_stays_as_it_is"]


def test_a_world_that_cannot_be_copied_is_compared_with_itself() -> None:
    world: Any = Relay()
    world.lock = threading.Lock()
    assert "cannot be copied" in check_world(world).not_checked["a_world_remembers_nothing"]


def test_something_else_is_not_a_world() -> None:
    with pytest.raises(ContractViolation, match=r"worlds_have_every_member: .*World"):
        check_world("timearena/cooking1")  # type: ignore[arg-type]
