"""The example package keeps the contract; ``integrations/example_world`` tries it installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel import registry
from backburner.kernel.answers import answers_at
from backburner.kernel.clock import Timing
from backburner.kernel.exact import ORACLE
from backburner.kernel.oracle import Request
from backburner.kernel.play import play_now
from backburner.kernel.schedule import problem_of
from backburner.kernel.testing import ContractViolation, check_world
from backburner.kernel.values import digest
from support.hurried import hurry
from support.packages import distribution, on_the_path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "examples" / "laundry" / "src"


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_laundry_day_keeps_the_contract(monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.catalogue import CATALOGUE

    scenario = CATALOGUE.scenario("whites+colours+towels", {"dryers": "2"})
    world = CATALOGUE.build("laundry/whites+colours+towels@dryers=2", scenario, rules, "article")
    assert check_world(world).steps > 50


def test_laundry_day_goes_on_while_somebody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy decides ten times in 175 minutes. Five of its thoughts hold everything up, and five pass while
    it would wait for a machine: with L minutes for each it is done at 175 + 5 L. What costs nothing changes
    nothing."""
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.agents import Greedy
    from laundry.catalogue import CATALOGUE

    scenario = CATALOGUE.scenario("whites+colours", {})
    world = CATALOGUE.build("laundry/whites+colours", scenario, "standard", "none")
    clocks = [None, *(Timing("latency").bound(world, {"agent": seconds}) for seconds in ("0", "60", "240"))]
    episodes = [play_now(world, Greedy(world), clock=clock) for clock in clocks]
    assert [episode.ending and episode.ending.numbers["minutes"] for episode in episodes] == [
        175,
        175,
        180,
        195,
    ]
    free, timed, *_ = episodes
    assert [(entry.digest, entry.events) for entry in timed.entries] == [
        (entry.digest, entry.events) for entry in free.entries
    ]


@pytest.mark.parametrize(("effort", "status"), [(0.0, "unknown"), (1.0, "optimal")])
def test_an_effort_leads_equally_far_on_every_machine(
    monkeypatch: pytest.MonkeyPatch, effort: float, status: str
) -> None:
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.catalogue import CATALOGUE
    from laundry.oracle import ORACLE

    scenario = CATALOGUE.scenario("whites+colours+towels", {})
    world = CATALOGUE.build("laundry/whites+colours+towels", scenario, "standard", "none")
    first = ORACLE.solve(world, Request(effort=effort))
    hurry(monkeypatch)
    second = ORACLE.solve(world, Request(effort=effort, time_limit_seconds=0.0))
    assert first.status == status and replace(second, seconds=first.seconds) == first


def test_the_general_oracle_finds_the_same_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """The world's own A* and the general search, with the world's bound and without."""
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.catalogue import CATALOGUE
    from laundry.oracle import ORACLE as OWN

    class Unsaid(CATALOGUE.world):  # type: ignore[name-defined,misc]
        def estimate(self, state: object) -> None:
            return None

    for path in ("whites+colours", "whites+colours+towels", "colours+towels+woollens"):
        for machines in ({}, {"dryers": "2"}):
            day = CATALOGUE.build("laundry/day", CATALOGUE.scenario(path, machines), "standard", "article")
            unsaid = Unsaid(day.id, day.scenario, day.rules, day.limits)
            own = OWN.solve(day, Request()).objective
            for found in (ORACLE.solve(world, Request(effort=4)) for world in (day, unsaid)):
                assert (found.status, found.objective, found.bound) == ("optimal", own, own)


def test_the_kit_notices_a_bound_of_the_laundry_that_is_too_high(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.catalogue import CATALOGUE

    class Hasty(CATALOGUE.world):  # type: ignore[name-defined,misc]
        def estimate(self, state: Any) -> int:
            return int(super().estimate(state)) + 1

    day = CATALOGUE.build("laundry/day", CATALOGUE.scenario("whites+colours", {}), "standard", "none")
    with pytest.raises(ContractViolation, match=r"estimates_are_passed_by_no_play: it is 1.*, and 164 can"):
        check_world(Hasty(day.id, day.scenario, day.rules, day.limits))


ORACLELESS = """
from msgspec.structs import replace
from backburner.kernel.pack import GENERAL
from laundry.pack import PACK as OWN

PACK = replace(OWN, oracle=GENERAL)
"""


@pytest.mark.parametrize("pack", ["laundry.pack:PACK", "oracleless:PACK"])
def test_new_days_of_laundry_are_built_with_proof(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pack: str
) -> None:
    """Of a day with three loads there are nine activities; the width is the sum of their minutes, over the
    least in which all is folded. A pack that names no oracle has the same."""
    monkeypatch.syspath_prepend(str(SOURCES))
    distribution(tmp_path / "installed", "backburner_laundry", {"laundry": pack}, oracleless=ORACLELESS)
    with on_the_path(tmp_path / "installed", monkeypatch):
        command = ["build", "laundry", "--length", "9", "--width", "1.5:2.5", "--scenarios", "2"]
        result = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "days")])
        assert result.exit_code == 0, result.output
        answers = answers_at(tmp_path / "days")
        for file in registry.expand(str(tmp_path / "days")):
            world = registry.world(file)
            answer = answers[digest(world.scenario)]
            minutes = [activity.duration for activity in problem_of(world).activities]
            assert len(minutes) == 9
            assert answer.status == "optimal"
            assert answer.dials["width"] == round(sum(minutes) / answer.best, 4)
        assert sorted(answer.best for answer in answers.values()) == [155, 189]


def test_the_walk_through_quotes_the_example() -> None:
    """Every block of Python in docs/add-a-world.md stands, line by line, in the package or in this file."""
    files = [*SOURCES.rglob("*.py"), Path(__file__)]
    written = [file.read_text("utf-8") for file in files]
    page = (ROOT / "docs" / "add-a-world.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    assert [block for block in blocks if not any(block in text for text in written)] == []


IMITATION = ROOT / "examples" / "imitation"


def test_lessons_hold_nothing_that_is_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """No task of the six, no published combination, no random task twice; and the files can be played."""
    monkeypatch.syspath_prepend(str(IMITATION))
    import scenarios

    taught = scenarios.taught(300, seed=1)
    assert len({file["id"] for file in taught}) == 300
    published = [file["tasks"] for file in taught if isinstance(file["tasks"][0], str)]
    assert len(published) == 225
    assert not {task for tasks in published for task in tasks} & set(scenarios.HELD_OUT)
    held = scenarios.held_out()
    tested = [set(names) for names in scenarios.TESTED]
    assert not [tasks for tasks in published if set(tasks) in tested]
    random_tasks = [file["tasks"] for file in taught if not isinstance(file["tasks"][0], str)]
    assert not [file for file in held["drawn"] if file["tasks"] in random_tasks]
    assert [len(files) for files in held.values()] == [21, 30, 60]
    shelf = scenarios.catalogue("timearena")
    for file in (*taught, *held["drawn"], *held["combinations"]):
        shelf.build(*shelf.read(file, file["id"]), "standard", "article")


def test_a_vocabulary_keeps_what_is_always_said_alike_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twenty conversations all begin alike; names are the same token wherever they stand, what is unknown
    is cut into bytes."""
    monkeypatch.syspath_prepend(str(IMITATION))
    import words

    things = [f"thing{chr(97 + n)}" for n in range(20)]
    said = [
        [
            {"role": "user", "content": f"These are the rules of it all. Now take the {thing} away."},
            {"role": "assistant", "content": f"take {thing}", "learnt": n > 0},
        ]
        for n, thing in enumerate(things)
    ]
    vocabulary = words.learn(said, ["take", *things])
    cut = [vocabulary.tokens[n] for n in vocabulary.numbers(said[3][0]["content"])]
    assert cut == ["These are the rules of it all. Now ", "take", " the ", "thingd", " away."]
    spelt = [vocabulary.tokens[n] for n in vocabulary.numbers(" zebra")]
    assert spelt == ["Ġ", *"zebra"]
    tokens, kinds = words.conversation(vocabulary, said[3])
    assert [vocabulary.tokens[n] for n in tokens[-5:]] == ["<|assistant|>", "take", "Ġ", "thingd", "<|end|>"]
    assert kinds[-5:] == [words.NOTHING, *[words.ANSWER] * 4]
    assert kinds[1:-5] == [words.BESIDE] * (len(tokens) - 6)
    slipped = words.conversation(vocabulary, said[0])[1]
    assert slipped[-5:] == [words.NOTHING] * 5


def test_vocabularies_name_things_everywhere_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thing of two words, one with a number behind it, one inside another word: longest first."""
    monkeypatch.syspath_prepend(str(IMITATION))
    import words

    vocabulary = words.Vocabulary([" a"], ["tea", "teapot", "iron_nail", "_2", " is "])
    cut = [vocabulary.tokens[n] for n in vocabulary.numbers("teapot is iron_nail_2 a tea")]
    assert cut == ["teapot", " is ", "iron_nail", "_2", "Ġa", "Ġ", "tea"]
