"""The kit on packs: ours pass, and each planted fault is noticed by the check that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backburner.kernel import packs
from backburner.kernel.conformance.declared import CHECKS
from backburner.kernel.errors import UnknownName
from backburner.kernel.testing import ContractViolation, check_pack
from support.packages import distribution, on_the_path

PACK = """
from backburner.kernel.pack import Argument, Pack, Entry

PACK = Pack(
    name="workshop",
    title="The workshop (tests)",
    version=3,
    catalogue="workshop_parts:catalogue",
    scoring="workshop_parts:scoring",
    oracle="backburner.scheduling.oracle:ORACLE",
    oracle_arguments=(Argument(name="speed", help="how fast"),),
    agents={"greedy": Entry("workshop_parts:greedy", "takes what is first on the menu")},
)
"""

PARTS = """
from backburner.agents.scripted import FirstLegalPolicy
from backburner.kernel.scoring import Metric, PlainScoring, completed_share
from backburner.worlds.timearena.game.catalogue import TimeArenaCatalogue


class Catalogue(TimeArenaCatalogue):
    name = "workshop"

    def suites(self):
        return {"all": ("lab1", "lab2")}


class Scoring(PlainScoring):
    pass


def greedy(world):
    return FirstLegalPolicy()


catalogue = Catalogue()
scoring = Scoring()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with on_the_path(tmp_path, monkeypatch):
        yield tmp_path


def installed(folder: Path, pack: str = PACK, parts: str = PARTS) -> None:
    distribution(
        folder, "workshops", {"workshop": "workshop_pack:PACK"}, workshop_pack=pack, workshop_parts=parts
    )


@pytest.mark.parametrize("name", packs.names())
def test_our_packs_keep_what_they_promise(name: str) -> None:
    checked = check_pack(name)
    assert set(checked.ran) == {check.__name__ for check in CHECKS}
    assert all(checked.ran.values())
    assert checked.steps > 0


def test_a_pack_of_another_package_is_looked_at_as_ours_are(folder: Path) -> None:
    installed(folder)
    checked = check_pack("workshop")
    assert all(checked.ran.values())
    assert checked.not_checked == {}


def test_without_an_agent_nothing_is_measured_and_the_kit_says_so(folder: Path) -> None:
    installed(
        folder,
        PACK.replace('"greedy": Entry("workshop_parts:greedy", "takes what is first on the menu")', ""),
    )
    checked = check_pack("workshop")
    assert (checked.episodes, list(checked.not_checked)) == (
        0,
        ["scorings_measure_episodes", "label_sets_are_data"],
    )


def test_a_pack_that_is_not_there_is_an_unknown_world() -> None:
    with pytest.raises(UnknownName, match="timearena"):
        check_pack("timearina")


LABELLED = PACK.replace("agents=", 'annotations="workshop_parts:ANNOTATIONS", agents=')
LABELS = """
from backburner.kernel.assessment import Annotation, Case, Label, LabelSet

SET = LabelSet(
    name="pace",
    version=1,
    title="Pace",
    of="episode",
    question="How fast?",
    labels=(Label('slow', "It took long."), Label('late', "It came too late.")),
)
ANNOTATIONS = (Annotation(SET, lambda episode: (Case(),)),)
"""


def test_a_pack_with_labels_of_its_own_passes(folder: Path) -> None:
    installed(folder, LABELLED, PARTS + LABELS)
    assert all(check_pack("workshop").ran.values())


UNNAMED = """
catalogue.said = {"kit": ""}
"""

FAULTS = {
    "parts_are_there": [
        (PACK.replace("workshop_parts:greedy", "workshop_parts:greed"), PARTS, "has no attribute 'greed'"),
        (PACK.replace("agents=", 'prompts="backburner:words", agents='), PARTS, "no folder"),
    ],
    "catalogues_keep_their_promises": [
        (PACK, PARTS.replace('"all"', '"each"'), "no suite 'all'"),
        (PACK, PARTS.replace('("lab1", "lab2")', "()"), "is empty"),
        (PACK, PARTS.replace("    def suites", "    rules = {}\n\n    def suites"), "no rule set 'standard'"),
    ],
    "scenarios_have_names": [
        (PACK, PARTS.replace('("lab1", "lab2")', '("lab1", "lab1@kit=one")') + UNNAMED, "are both called"),
    ],
    "packs_agree_with_their_worlds": [
        (PACK.replace("version=3", "version=4"), PARTS, "the world has version 3, the pack 4"),
    ],
    "agents_are_policies": [
        (PACK, PARTS.replace("return FirstLegalPolicy()", "return 'nobody'"), "has no 'name'"),
    ],
    "oracles_can_solve": [
        (
            PACK.replace("backburner.scheduling.oracle:ORACLE", "workshop_parts:greedy"),
            PARTS,
            "no method solve",
        ),
        (PACK.replace('help="how fast"),', 'help=""), Argument(name="speed", help=""),'), PARTS, "one name"),
    ],
    "scorings_measure_episodes": [
        (PACK, PARTS.replace("    pass", "    metrics = ()"), "or there is none"),
        (PACK, PARTS.replace("    pass", "    main = ('Speed',)"), "main metrics that are none"),
        (
            PACK,
            PARTS.replace("    pass", "    def measure(self, episode):\n        return {'P': 'much'}"),
            "the measure 'P' is 'much'",
        ),
    ],
    "label_sets_are_data": [
        (LABELLED, PARTS + LABELS.replace("'late'", "'slow'"), "two labels have one name"),
        (LABELLED, PARTS + LABELS.replace("ANNOTATIONS = (", "ANNOTATIONS = 2 * ("), "one name"),
        (LABELLED, PARTS + LABELS.replace("Case()", "Case(at=3)"), "not of an episode"),
        (LABELLED, PARTS + LABELS.replace("Case()", "Case(decided='fast')"), r"tells of \['fast'\]"),
        (LABELLED, PARTS + LABELS.replace("Case(),", "Case(), Case(),"), "a case comes twice"),
    ],
}


@pytest.mark.parametrize(
    ("check", "pack", "parts", "why"),
    [(check, *fault) for check, faults in FAULTS.items() for fault in faults],
)
def test_a_planted_fault_is_noticed(folder: Path, check: str, pack: str, parts: str, why: str) -> None:
    installed(folder, pack, parts)
    with pytest.raises(ContractViolation, match=why) as caught:
        check_pack("workshop")
    assert caught.value.check == check
