"""Scenarios of plain words: pieces, annotations read strictly, kappas known by hand, what is settled."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.models.client import Completion, Message, Settings
from backburner.evaluation.labels.judging import Judge, Judged
from backburner.evaluation.labels.label_files import read_labels
from backburner.evaluation.labels.text_judging import TextCourt, annotate_texts, whole
from backburner.evaluation.labels.text_scores import scenario_scores, text_scores
from backburner.evaluation.labels.texts import (
    Source,
    import_annotations,
    settled_texts,
    sources_in,
    write_scenarios,
)
from backburner.evaluation.running.calls import NO_END
from backburner.kernel import registry
from backburner.kernel.assessment import KEYS
from backburner.kernel.errors import BadFile
from backburner.kernel.oracle import Request, solve_world
from support.evaluation.annotators import RECIPES, recipes_in, right, say, slips

COFFEE = "Boil the water and grind the beans. Pour the water over the beans, then drink it."


def written(folder: Path, text: str = COFFEE, **more: Any) -> Source:
    file = {"world": "recipe2plan", "texts": [{"name": "Coffee", "text": text}], **more}
    (folder / "coffee.words.json").write_text(json.dumps(file))
    (source,) = sources_in(folder)
    return source


def action(words: str, after: Mapping[str, str] | None = None, **labels: str) -> dict[str, Any]:
    usual = {"concurrency": "continuous", "interruptibility": "non-interruptible", "device": "none"}
    return {"words": words, "labels": {**usual, "duration": "1 min", **labels}, "after": after or {}}


WAITS: Sequence[Mapping[str, str]] = ({}, {}, {"0": "2 min", "1": "any time"}, {"2": "any time"})


def coffee(waits: Sequence[Mapping[str, str]] = WAITS) -> list[dict[str, Any]]:
    """The four actions, each with what it waits for."""
    boil = {"concurrency": "autonomous", "device": "stove", "duration": "5 min"}
    words = ("Boil the water", "and grind the beans.", "Pour the water over the beans,", "then drink it.")
    return [
        action(quoted, after, **(boil if number == 0 else {}))
        for number, (quoted, after) in enumerate(zip(words, waits, strict=True))
    ]


def taken(folder: Path, name: str, actions: Sequence[dict[str, Any]]) -> None:
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"annotator": name, "texts": [{"name": "Coffee", "actions": actions}]}))
    import_annotations(file, folder, sources_in(folder), "me", read_labels(folder))


def rows(folder: Path) -> dict[tuple[str, str], tuple[Any, ...]]:
    """The table of agreement, by set and annotators: cases, agreement, kappa, printed."""
    sources, labels = sources_in(folder), read_labels(folder)
    found, title = {}, ""
    for row in text_scores(settled_texts(sources, labels)).rows:
        title = row[0] or title
        found[title, row[1]] = row[2:]
    return found


def facts(folder: Path, who: str) -> dict[str, tuple[Any, ...]]:
    """Precision, recall, F1 of scenarios, by kind of fact."""
    section = scenario_scores(sources_in(folder), read_labels(folder))
    return {row[1]: row[2:] for row in section.rows if row[0] == who}


# --- texts and annotations ------------------------------------------------------------------------------


def test_a_text_is_cut_where_a_clause_may_begin(tmp_path: Path) -> None:
    assert written(tmp_path).pieces == (
        "Boil the water",
        "and grind the beans.",
        "Pour the water over the beans,",
        "then drink it.",
    )


def test_what_is_asked_follows_from_what_was_said(tmp_path: Path) -> None:
    """3 gaps; then 4 actions with 4 properties each and 6 pairs; then a limit for each of 3 direct waits."""
    source = written(tmp_path)
    said: dict[Any, str] = {}
    numbers = []
    for label in ("new", "", "any time"):
        parts = [part for part in source.parts(said) if part.key not in said]
        numbers.append(len(parts))
        for part in parts:
            waits = (part.key.at, part.key.seat) in ((2, "0"), (2, "1"), (3, "2"), (3, "0"), (3, "1"))
            yes_or_no = "after" if waits else "free"
            said[part.key] = label or (yes_or_no if part.key.set == "order" else part.choices[0])
    assert numbers == [3, 4 * 4 + 6, 3]
    actions = source.actions(said)
    assert not isinstance(actions, str)
    assert [dict(one.after) for one in actions] == [
        {}, {}, {0: "any time", 1: "any time"}, {2: "any time"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"words": "Boil the"},
            r"actions\[0\], field 'words': 'Boil the' is not what comes next in whole pie",
        ),
        (
            {"words": "Boil the water and grind the beans."},
            r"actions\[1\], field 'words'.*next.*Pour the water",
        ),
        ({"labels": {"device": "stow"}}, r"field 'labels', field 'device': unknown label 'stow'.*stove"),
        ({"labels": {"devise": "none"}}, r"unknown label set 'devise'.*device"),
        ({"after": {"0": "any time"}}, r"actions\[0\], field 'after': 0 is no earlier action"),
        ({"minutes": 3}, "minutes"),
    ],
)
def test_annotations_are_read_strictly(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    written(tmp_path)
    first, *others = coffee()
    labels = {**first["labels"], **change.pop("labels", {})}
    with pytest.raises(BadFile, match=why):
        taken(tmp_path, "ann", [{**first, "labels": labels, **change}, *others])
    assert not read_labels(tmp_path).said


def test_texts_are_read_strictly(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="101 pieces"):
        written(tmp_path, "Wait, " * 101)
    with pytest.raises(BadFile, match="one line"):
        written(tmp_path, "Wait.\x1b[2J")
    with pytest.raises(BadFile, match=r"words.json: field 'world': .*not made of plain words"):
        written(tmp_path, world="timearena")
    with pytest.raises(BadFile, match=r"words.json: field 'world': .*did you mean recipe2plan"):
        written(tmp_path, world="recipe2pla")


def test_guidelines_fit_the_keys_of_a_terminal_and_stand_in_the_page() -> None:
    page = " ".join((RECIPES.parents[1] / "docs" / "from-words.md").read_text().split())
    for labels in registry.from_words("recipe2plan").sets:
        assert len(set(labels.keys)) == len(labels.keys) <= len(KEYS)
        assert labels.question in page
        assert all(rule in page for rule in labels.precedence)
        assert labels.name == "duration" or all(label.definition in page for label in labels.labels)


# --- agreement ------------------------------------------------------------------------------------------


def test_a_kappa_by_hand(tmp_path: Path) -> None:
    """Ann: boiling goes on by itself, and so does drinking. Bob: boiling alone. They agree on 3 of 4; by
    chance on 2/4 · 1/4 + 2/4 · 3/4 = 1/2; kappa = (3/4 - 1/2) / (1 - 1/2) = 1/2."""
    written(tmp_path)
    taken(tmp_path, "bob", coffee())
    actions = coffee()
    actions[3]["labels"]["concurrency"] = "autonomous"
    taken(tmp_path, "ann", actions)
    assert rows(tmp_path)["Action concurrency", "people, mean of 1 pairs"] == (4, 75.0, 0.5, 0.78)


def test_dependencies_are_compared_with_all_that_follows_from_them(tmp_path: Path) -> None:
    """Ann: 1 after 0, 2 after 1; so 2 after 0 as well: three. Bob: 2 after 0, 3 after 2; so 3 after 0 as
    well: three. Both: 2 after 0. F1 = 2 · 1 / (3 + 3). They agree on 2 of 6 pairs, (0, 2) and (1, 3)."""
    written(tmp_path)
    any_time = "any time"
    taken(tmp_path, "ann", coffee(({}, {"0": any_time}, {"1": any_time}, {})))
    taken(tmp_path, "bob", coffee(({}, {}, {"0": any_time}, {"2": any_time})))
    # by chance 1/2, as each has three of six: (1/3 - 1/2) / (1 - 1/2) = -1/3
    assert rows(tmp_path)["Action dependencies", "people, mean of 1 pairs"] == (6, 33.3, -0.33, None)
    found = facts(tmp_path, "people, each two")
    assert found["precedence"] == pytest.approx((100 / 3, 100 / 3, 100 / 3))
    assert found["precedence, least edges"] == (0, 0, 0)  # two each, none in common
    assert found["activities"] == found["durations"] == (100, 100, 100)


def test_a_model_that_took_two_actions_for_one_is_told_as_a_scenario(tmp_path: Path) -> None:
    """It has three of four actions, and of five waits (2 after 0 and 1; 3 after 2, 0 and 1) the three that
    are not for the second action. Of its two limits one is that of people, who have no other."""
    written(tmp_path)
    taken(tmp_path, "ann", coffee())
    first, second, *others = coffee()
    both = {**first, "words": f"{first['words']} {second['words']}"}
    answer = [both, {**others[0], "after": {"0": "2 min"}}, {**others[1], "after": {"1": "3 min"}}]
    annotated(tmp_path, Model(json.dumps({"actions": answer})))
    found = facts(tmp_path, "judge:wise/model-1 (model), to people")
    assert found["activities"] == pytest.approx((100, 75, 100 * 6 / 7))  # 2 · 3 / (3 + 4)
    assert found["precedence"] == pytest.approx((100, 60, 75))  # 2 · 3 / (3 + 5)
    assert found["maximum lags"] == pytest.approx((50, 100, 100 * 2 / 3))


def test_annotators_who_split_a_text_otherwise_meet_where_their_actions_begin(tmp_path: Path) -> None:
    """Cy takes the first two pieces as one action. Two of three begin one at the second: it has their labels
    alone, the others have three."""
    written(tmp_path)
    first, second, *others = coffee(({}, {}, {"0": "2 min", "1": "any time"}, {"2": "any time"}))
    taken(tmp_path, "ann", [first, second, *others])
    taken(tmp_path, "bob", [first, second, *others])
    both = {**first, "words": f"{first['words']} {second['words']}"}
    taken(
        tmp_path,
        "cy",
        [both, {**others[0], "after": {"0": "2 min"}}, {**others[1], "after": {"1": "any time"}}],
    )
    settled = settled_texts(sources_in(tmp_path), read_labels(tmp_path))
    device = {one.item.key.at: len(one.said) for one in settled if one.item.key.set == "device"}
    assert device == {0: 3, 1: 2, 2: 3, 3: 3}
    assert rows(tmp_path)["Where actions begin", "people, mean of 2 pairs"][:2] == (9, 77.8)
    # 7 of 9; Ann and Bob say "new" everywhere, for which there is no kappa


def kappa(yes: int, others: int, differing: int) -> float:
    """Of two who have ``yes`` and ``others`` labels of the two kinds each and differ so often."""
    number = yes + others
    observed = 1 - Fraction(differing, number)
    chance = Fraction(yes**2 + others**2, number**2)
    return round(float((observed - chance) / (1 - chance)), 2)


def test_three_annotators_of_ten_recipes_have_the_kappas_that_follow_from_their_slips(tmp_path: Path) -> None:
    """Of 61 actions 22 go on by themselves. Everybody takes 3 of these for the other kind and 3 of the others
    for these, no two the same ones: two differ in 12, everybody has 22 and 39 as before.
    Chance: (22² + 39²) / 61² = 2005/3721; kappa = (49/61 - 2005/3721) / (1716/3721) = 984/1716 = 0.57.
    Fleiss' is the same, as all have the same shares. The majority is right everywhere, so a model with 4
    slips of each kind differs from it in 8: (53/61 - 2005/3721) / (1716/3721) = 1228/1716 = 0.72.

    18 are interruptible, 2 slips of each kind: 8 of 61 differ, 0.68. Of 51 direct waits 28 have a limit; 2
    slips of each kind: 8 of 51 differ, 0.68."""
    sources = recipes_in(tmp_path)
    truth = right(sources)
    assert kappa(22, 39, 12) == 0.57 and kappa(22, 39, 8) == 0.72
    kinds = {
        "concurrency": ("autonomous", "continuous", 3),
        "interruptibility": ("interruptible", "non-interruptible", 2),
        "limit": ("any time", "1 min", 2),
    }
    for turn, name in enumerate(("ann", "bob", "cy")):
        said = truth
        for set_name, (one, other, count) in kinds.items():
            said = slips(said, set_name, one, other, count, turn)
        say(tmp_path, name, said)
    say(tmp_path, "judge:m", slips(truth, "concurrency", "autonomous", "continuous", 4, 4), "judge")
    found = rows(tmp_path)
    people, model = "people, mean of 3 pairs", "judge:m (model), to people"
    assert found["Action concurrency", people] == (183, 80.3, 0.57, 0.78)
    assert found["Action concurrency", "people, Fleiss"][2].startswith("0.57 [")
    assert found["Action concurrency", model][:2] == (61, 86.9)
    assert found["Action concurrency", model][2].startswith("0.72 [")
    assert found["Execution interruptibility", people] == (183, 86.9, kappa(18, 43, 8), 0.5)
    assert found["Execution interruptibility", model] == (61, 100.0, "1.00", None)
    assert found["Time constraints", people][1:4] == (84.3, kappa(23, 28, 8), 0.66)
    assert found["Action dependencies", people] == (474, 100.0, 1.0, None)
    assert found["Resource limitations", people][3] == 0.86

    settled = settled_texts(sources, read_labels(tmp_path))
    assert {one.item.key: one.label for one in settled} == truth


# --- scenarios ------------------------------------------------------------------------------------------


def test_ten_recipes_become_scenarios_that_the_oracle_solves(tmp_path: Path) -> None:
    sources = recipes_in(tmp_path)
    say(tmp_path, "ann", right(sources))
    settled = settled_texts(sources, read_labels(tmp_path))
    assert write_scenarios(tmp_path / "made", sources, settled) == []
    best = {}
    for file in sorted((tmp_path / "made").iterdir()):
        world = registry.world(str(file))
        solution = solve_world(world, Request(effort=2.0))
        assert solution.status == "optimal"
        best[file.stem] = solution.objective
    # Soup: onion 4, soften 6, tomatoes 1, simmer 20 (basil meanwhile), blend 3
    # Potatoes: heating 10 (scrubbing meanwhile), bake 60, cut open 4
    # Omelette: mushrooms 3, fry 5 at once; eggs 2 before; pour 1, set 4, fold 1
    assert best["Tomato-Soup"] == 60 * (4 + 6 + 1 + 20 + 3)
    assert best["Baked-Potatoes"] == 60 * (10 + 60 + 4)
    assert best["Omelette"] == 60 * (3 + 2 + 5 + 1 + 4 + 1)
    step = json.loads((tmp_path / "made" / "Garlic-Bread.json").read_text())["recipes"][0]["steps"][5]
    assert step == {
        "text": "Bake it for 12 minutes.", "seconds": 720, "autonomous": True, "after": [0, 4],
        "appliance": "oven", "needs_fahrenheit": 180,
    }  # fmt: skip


def test_a_tie_makes_no_scenario_until_an_adjudicator_decides(tmp_path: Path) -> None:
    source = written(tmp_path)
    taken(tmp_path, "ann", coffee())
    actions = coffee()
    actions[1]["labels"]["device"] = "microwave"
    taken(tmp_path, "bob", actions)
    (left,) = write_scenarios(tmp_path, [source], settled_texts([source], read_labels(tmp_path)))
    assert left == "Coffee: 1 label missing, first device: action: and grind the beans."
    (divided,) = (one for one in settled_texts([source], read_labels(tmp_path)) if one.how == "tied")
    say(tmp_path, "eve", {divided.item.key: "none"}, "adjudicator")
    assert write_scenarios(tmp_path, [source], settled_texts([source], read_labels(tmp_path))) == []
    steps = json.loads((tmp_path / "Coffee.json").read_text())["recipes"][0]["steps"]
    assert [step["text"] for step in steps][:2] == ["Boil the water.", "Grind the beans."]
    assert steps[2]["lags"] == [{"after": 0, "seconds": 120}]


def test_what_runs_by_itself_is_never_in_pieces_and_what_cannot_be_played_is_told(tmp_path: Path) -> None:
    source = written(tmp_path)
    actions = coffee()
    actions[0]["labels"]["interruptibility"] = "interruptible"
    actions[1]["labels"]["interruptibility"] = "interruptible"
    taken(tmp_path, "ann", actions)
    settled = settled_texts([source], read_labels(tmp_path))
    assert write_scenarios(tmp_path, [source], settled) == []
    steps = json.loads((tmp_path / "Coffee.json").read_text())["recipes"][0]["steps"]
    assert [step.get("splittable", False) for step in steps] == [False, True, False, False]
    oven = replace(source, words=replace(source.words, name="oven"))
    (left,) = write_scenarios(tmp_path, [oven], settled)
    assert "a recipe is not called 'oven'" in left and not (tmp_path / "oven.json").exists()


# --- a model --------------------------------------------------------------------------------------------


class Model:
    """Answers one after the other, and the last one from then on; ``asked`` has all that it was sent."""

    name = "wise/model-1"
    origin: Mapping[str, Any] = {"model": name}

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[list[Message]] = []

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        self.asked.append(list(messages))
        return Completion(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0], 10, 5)

    async def aclose(self) -> None:
        pass


def annotated(folder: Path, client: Any) -> Judged:
    judge = Judge(client, TextCourt.usual, NO_END, 1)
    return annotate_texts(judge, folder, [whole(one) for one in sources_in(folder)], read_labels(folder))


def test_a_model_is_told_the_guidelines_and_once_what_is_wrong(tmp_path: Path) -> None:
    written(tmp_path)
    good = json.dumps({"actions": coffee()})
    model = Model(good.replace('"stove"', '"stow"'), f"Here it is:\n```json\n{good}\n```")
    told = annotated(tmp_path, model)
    assert (told.labelled, told.unreadable, told.calls) == (1, 0, 2)
    (prompt,), (_, answer, repair) = model.asked
    for labels in registry.from_words("recipe2plan").sets:
        assert labels.question in prompt.content and all(rule in prompt.content for rule in labels.precedence)
    assert "\nBoil the water\nand grind the beans.\n" in prompt.content
    assert 'For example, of the text "Boil the water and grind the beans. Pour' in prompt.content
    assert '"stow"' in answer.content
    assert "actions[0], field 'labels', field 'device': unknown label 'stow'" in repair.content
    said = {(one.set, one.at, one.seat): one for one in read_labels(tmp_path).said}
    assert said["device", 0, ""].label == "stove" and said["order", 3, "0"].label == "after"
    assert {one.role for one in said.values()} == {"judge"} and len(said) == 3 + 16 + 6 + 3
    assert annotated(tmp_path, model).kept == 1


def test_a_model_that_cannot_be_read_twice_has_no_labels(tmp_path: Path) -> None:
    written(tmp_path)
    told = annotated(tmp_path, Model("I would rather not.", '{"actions": []}'))
    assert (told.labelled, told.unreadable, told.calls) == (0, 1, 2)
    assert [one.label for one in read_labels(tmp_path).said] == [""]


def test_who_annotates_anew_takes_back_what_is_not_said_again(tmp_path: Path) -> None:
    written(tmp_path)
    taken(tmp_path, "ann", coffee())
    first, second, *others = coffee()
    both = {**first, "words": f"{first['words']} {second['words']}"}
    taken(tmp_path, "ann", [both, {**others[0], "after": {}}, {**others[1], "after": {}}])
    assert {one.at for one in read_labels(tmp_path).said if one.set == "device"} == {0, 2, 3}
