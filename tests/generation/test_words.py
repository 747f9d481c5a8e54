"""The word lists: their sizes, that each minute has verbs, and that nothing in them is in a scenario that
ships."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import backburner
from backburner.generation.names import PREFIXES, THEMES, Syllables, Theme, singular, theme_words
from backburner.kernel.files import shipped

WORLDS = Path(backburner.__file__).parent / "worlds"

SCENARIOS = {
    "timearena": ("tasks", "verbs"),
    "recipe2plan": ("recipes", "example"),
    "robotouille": ("domain", "tasks"),
    "collab_overcooked": ("orders", "two_rooms", "input"),
    "cuisineworld": ("cookbook", "levels", "input"),
    "clocked_kitchen": ("input",),
    "minecraft": ("levels", "input"),
}
"""The files that have the names and verbs of all scenarios; sentences in them count for nothing."""

SIZES = {"material": 60, "product": 30, "vessel": 30, "device": 30, "hand verb": 40, "machine verb": 25}

PLAUSIBLE = [theme for theme in THEMES if theme != "nonsense"]


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from (text for item in value.values() for text in texts(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in texts(item))


@cache
def published() -> frozenset[str]:
    """``coffee_machine``, ``chop``: what is at most three words; of ``cook in`` and ``killMob`` also the
    first word, a verb."""
    found = set()
    for world, files in SCENARIOS.items():
        for file in files:
            for text in texts(json.loads((WORLDS / world / "data" / f"{file}.json").read_text("utf-8"))):
                words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", text).lower())
                if 1 <= len(words) <= 3:
                    found |= {singular("_".join(words)), singular(words[0])}
    return frozenset(found)


def names(theme: Theme) -> list[str]:
    nouns = [name for some in theme.nouns.values() for name in some]
    return nouns + [verb.name for some in theme.verbs.values() for verb in some]


def test_the_names_of_shipped_scenarios_are_found() -> None:
    known = {"coffee_machine", "chop", "cook_in", "cook", "bottombun", "kill_mob", "salmon_sashimi", "oven"}
    assert known | {"pumpkin", "blender", "pick_up_item", "furnace"} <= published()


@pytest.mark.parametrize("name", PLAUSIBLE)
def test_no_word_of_a_theme_is_in_a_shipped_scenario(name: str) -> None:
    """Neither a name, nor a word in one, nor what is done, nor how things are."""
    theme = theme_words(name)
    words = {
        singular(word) for each in (*names(theme), *theme.adjectives) for word in (each, *each.split("_"))
    }
    pasts = {verb.past for verbs in theme.verbs.values() for verb in verbs}
    assert not (words | pasts) & published()


@pytest.mark.parametrize("name", PLAUSIBLE)
def test_a_theme_has_enough_names_and_they_can_be_told_apart(name: str) -> None:
    theme = theme_words(name)
    sizes = {role: len(words) for role, words in {**theme.nouns, **theme.verbs}.items()}
    assert sizes == SIZES and len(set(theme.adjectives)) == 20
    every = names(theme)
    verbs = [verb for some in theme.verbs.values() for verb in some]
    told = [singular(each) for each in (*every, *(verb.past for verb in verbs), *theme.adjectives)]
    assert not [each for each, count in Counter(told).items() if count > 1]
    assert not [each for each in every if any(other.startswith(f"{each}_") for other in every)]
    assert all(re.fullmatch("[a-z]+(_[a-z]+)?", each) for each in every)
    assert all(re.fullmatch("[a-z]+", form) for verb in verbs for form in (verb.name, verb.past))
    assert not {f"{prefix}{verb.name}" for prefix in PREFIXES for verb in verbs} & set(every)


@pytest.mark.parametrize("name", PLAUSIBLE)
def test_each_minute_has_verbs_of_each_kind_and_stage(name: str) -> None:
    for role, verbs in theme_words(name).verbs.items():
        assert all(0 < verb.least < verb.most and verb.stage in (1, 2, 3) for verb in verbs)
        assert all(bool(verb.preposition) == (role == "machine verb") for verb in verbs)
        for stage in (1, 2, 3):
            of_stage = [verb for verb in verbs if verb.stage == stage]
            for minutes in range(1, 31):
                fitting = [verb for verb in of_stage if not verb.distance(minutes)]
                assert len(fitting) >= 3, f"{role} of stage {stage}, {minutes} minutes"


def test_machines_work_longer_than_hands() -> None:
    for theme in map(theme_words, PLAUSIBLE):
        middle = {
            role: sum(verb.least + verb.most for verb in verbs) / len(verbs)
            for role, verbs in theme.verbs.items()
        }
        assert middle["machine verb"] > 2 * middle["hand verb"]


def test_words_that_mean_something_are_no_nonsense() -> None:
    """The lists block 4 in 100 of the short words."""
    syllables = shipped("backburner.generation", "nonsense", Syllables, "words")
    assert all(syllables.is_blocked(word) for word in ("tuna", "banda", "tomato", "nazi", "dildo"))
    assert not syllables.is_blocked("tarmi")
    random = Random(0)
    drawn = [syllables.draw(2, random) for _ in range(2_000)]
    assert 20 < sum(map(syllables.is_blocked, drawn)) < 200
