"""Recall, precision and F1 of beliefs, by hand. What is true of ``SOUP``: see ``test_beliefs``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.recipe2plan.game import Beliefs
from backburner.worlds.recipe2plan.game.beliefs import gold, read_belief_file, statement
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from backburner.worlds.recipe2plan.metrics.beliefs import FAMILIES, Match, compare, score_files
from backburner.worlds.recipe2plan.metrics.score import published_tables, scoring
from support.facts import FOLDER, facts_about
from support.recipe2plan.play import BREAD, SOUP, kitchen_of

CONCURRENCY, DEPENDENCY, RESOURCES = FAMILIES

GUESS = Beliefs("Soup", (1, 2, 3), ((0, 2), (1, 2), (0, 4)), (("oven", 1),))
"""Of the steps 1 and 3 both, and 2 besides; two of four dependencies, and 0->4 besides; no appliance."""


# --- by hand --------------------------------------------------------------------------------------


def test_a_guess_about_the_soup() -> None:
    found = compare([GUESS], [SOUP])
    assert found == {CONCURRENCY: Match(2, 3, 2), DEPENDENCY: Match(2, 3, 4), RESOURCES: Match(0, 1, 1)}
    steps, edges, pairs = found.values()
    # 2 of 2 found, 2 of 3 right: 2 · 100 · 66.67 / 166.67 = 80
    assert (steps.recall, steps.precision) == (100, pytest.approx(200 / 3))
    assert steps.f1 == pytest.approx(80)
    # 2 of 4 found, 2 of 3 right: 2 · 50 · 66.67 / 116.67 = 57.14
    assert (edges.recall, edges.precision) == (50, pytest.approx(200 / 3))
    assert edges.f1 == pytest.approx(400 / 7)
    assert (pairs.recall, pairs.precision, pairs.f1) == (0, 0, 0)


def test_recipes_are_pooled_before_anything_is_divided() -> None:
    """Bread, of whose steps 0 and 2 run by themselves: one of two, and nothing wrong. 3 of 4; 3 of 4."""
    found = compare([GUESS, Beliefs("Bread", (2,))], [SOUP, BREAD])
    assert found[CONCURRENCY] == Match(3, 4, 4)
    assert (found[CONCURRENCY].recall, found[CONCURRENCY].precision) == (75, 75)


def test_a_recipe_of_which_nothing_is_said_counts_as_missed() -> None:
    assert compare([GUESS], [SOUP, BREAD])[CONCURRENCY] == Match(2, 3, 4)
    assert compare([GUESS, Beliefs("Soup", (3,))], [SOUP])[CONCURRENCY] == Match(1, 1, 2)


def test_steps_that_are_not_there_are_wrong() -> None:
    assert compare([Beliefs("Soup", (1, 99))], [SOUP])[CONCURRENCY] == Match(1, 2, 2)


def test_nothing_divided_by_nothing() -> None:
    """Nothing stated: no precision, and an F1 of 0. Nothing true: no recall. Neither: none of the three."""
    unsaid, untrue, neither = Match(0, 0, 2), Match(0, 3, 0), Match()
    assert (unsaid.recall, unsaid.precision, unsaid.f1) == (0, None, 0)
    assert (untrue.recall, untrue.precision, untrue.f1) == (None, 0, 0)
    assert (neither.recall, neither.precision, neither.f1) == (None, None, None)


def test_beliefs_about_another_recipe_are_named() -> None:
    with pytest.raises(UnknownName, match="did you mean Soup"):
        compare([Beliefs("Soups")], [SOUP])


# --- files ----------------------------------------------------------------------------------------


def test_files_are_scored_without_an_episode(tmp_path: Path) -> None:
    """Tacos as they are; Vada, of whose steps none runs by itself here, in the released form."""
    known = shipped_recipes()
    tacos, vada = tmp_path / "guess.txt", tmp_path / "Vada.json"
    tacos.write_text(f"What I think:\n{statement(gold(known['Tacos']))}\n")
    told = {"parallel": "None. Continuous: 0, 1", "physical_constraints": "Oven: [0]", "dependency": "0 -> 1"}
    vada.write_bytes(msgspec.json.encode(told))
    assert read_belief_file(vada) == [Beliefs("Vada", (), ((0, 1),), (("oven", 0),))]
    true = len(gold(known["Tacos"]).autonomous)
    missed = len(gold(known["Vada"]).autonomous)
    assert score_files([tacos, vada])[CONCURRENCY] == Match(true, true, true + missed)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("guess.txt", "No idea.", "no statement that begins with 'Beliefs about' and a recipe"),
        ("Vada.json", "{}", "not a file of beliefs"),
        ("Vada.json", "[", "not a file of beliefs"),
        ("guess.txt", None, "No such file"),
    ],
)
def test_a_file_without_beliefs_is_named(
    name: str, content: str | None, message: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(BadFile, match=f"{name}.*{message}"):
        score_files([tmp_path / name])


def test_a_file_about_an_unknown_recipe_is_named(tmp_path: Path) -> None:
    (tmp_path / "guess.txt").write_text("Beliefs about Taco. Autonomous: 1")
    with pytest.raises(UnknownName, match=r"'Taco'.*did you mean Tacos"):
        score_files([tmp_path / "guess.txt"])


def test_the_released_truths_are_ours() -> None:
    """The 24 belief files of the recipes that are published: everything is found, and nothing besides."""
    folder = FOLDER.parent / "upstream" / "recipe2plan" / "oracle_belief"
    if not folder.is_dir():
        pytest.skip(f"the released beliefs are not there ({folder})")
    found = score_files([folder / f"{name}.json" for name in shipped_recipes()])
    assert [match.f1 for match in found.values()] == [100, 100, 100]
    assert [match.true for match in found.values()] == [76, 277, 95]


def test_the_truth_is_that_of_the_released_data() -> None:
    for fact in facts_about("recipe2plan")["recipes"]:
        true = gold(shipped_recipes()[fact["name"]])
        steps = fact["steps"]
        assert true.autonomous == tuple(step["index"] for step in steps if step["autonomous"])
        assert set(true.depends) == {(before, s["index"]) for s in steps for before in s["depends_on"]}
        assert set(true.uses) == {(s["resource"]["object"], s["index"]) for s in steps if s.get("resource")}


# --- episodes -------------------------------------------------------------------------------------


class Says:
    """Gives these texts one after the other, then finishes."""

    name = "says"
    informed = False
    settings: Mapping[str, str] = {}

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    async def decide(self, turn: Turn, memory: object) -> Reply:
        return Reply(self.texts[turn.index] if turn.index < len(self.texts) else "Action: Finish")


CHOP = "Action: Step(0, Soup, 00:05:00, 00:00:00)"
TOO_EARLY = "Action: Step(2, Soup, 00:01:00, 00:00:00)"


def played(*texts: str, knowledge: str = "beliefs") -> Episode:
    return play_now(kitchen_of(SOUP, knowledge=knowledge), Says(*texts))


def found(episode: Episode, family: str = CONCURRENCY) -> list[Match]:
    """Before play, and at the end."""
    row = scoring.measure(episode)
    counts = Match.__struct_fields__
    return [
        Match(*(row[f"{moment}: {family}: {count}"] for count in counts))
        for moment in ("before play", "at the end")
    ]


def test_before_play_is_before_the_first_action_is_tried() -> None:
    one, two, both = (statement(Beliefs("Soup", steps)) for steps in ((1,), (2,), (1, 3)))
    assert found(played(one, CHOP)) == [Match(1, 1, 2)] * 2
    assert found(played(one, CHOP, both)) == [Match(1, 1, 2), Match(2, 2, 2)]
    assert found(played(two, one, CHOP, both)) == [Match(1, 1, 2), Match(2, 2, 2)]
    assert found(played(two, f"{one}\n{CHOP}", both)) == [Match(1, 1, 2), Match(2, 2, 2)]
    assert found(played(one, TOO_EARLY, both, CHOP)) == [Match(1, 1, 2), Match(2, 2, 2)]
    assert found(played("Well.", one, CHOP)) == [Match(1, 1, 2)] * 2
    assert found(played(CHOP, both)) == [Match(0, 0, 2), Match(2, 2, 2)]
    assert found(played()) == [Match(0, 0, 2)] * 2


@pytest.mark.parametrize("knowledge", ["none", "gold"])
def test_episodes_in_which_nothing_is_asked_have_no_such_measures(knowledge: str) -> None:
    episode = played(CHOP, knowledge=knowledge)
    row = scoring.measure(episode)
    assert not any(key.startswith(("before play", "at the end")) for key in row)
    assert not any("believed" in section.title for section in scoring.sections([(episode, row)]))


def test_the_section_beside_the_articles_table() -> None:
    """Two episodes, 4 steps to be found: 3 stated before play, 2 of them right, and in the end one more.

    Recall 50 and 75, precision 66.67 and 75.
    """
    guess, better = (statement(Beliefs("Soup", steps)) for steps in ((1, 2), (1, 3, 2)))
    right = statement(Beliefs("Soup", (1,)))
    episodes = [played(guess, CHOP, better), played(right, CHOP), played(CHOP, knowledge="gold")]
    rows = [(episode, scoring.measure(episode)) for episode in episodes]
    section = scoring.sections(rows)[-1]
    assert section.columns == ("belief", "agent", "when", "episodes", "recall", "precision", "F1")
    ours = [row for row in section.rows if row[1] == "says"]
    assert ours[:2] == [
        (CONCURRENCY, "says", "before play", 2, 50, 66.67, 57.14),
        (CONCURRENCY, "says", "at the end", 2, 75, 75, 75),
    ]
    assert ours[2:] == [
        (family, "says", when, 2, 0, None, 0)
        for family in (DEPENDENCY, RESOURCES)
        for when in ("before play", "at the end")
    ]
    printed = {(row[0], row[1]): row[2:] for row in section.rows if row[1] != "says"}
    assert len(printed) == 24
    assert printed[DEPENDENCY, "GPT-4o"] == ("Table 9", None, 89.94, 92.33, 91.12)


def test_the_families_are_those_of_the_article() -> None:
    assert list(dict.fromkeys(row.belief for row in published_tables().beliefs)) == list(FAMILIES)
