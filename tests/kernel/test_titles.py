"""Scenarios have short names for people, made of the world's words and its options."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.titles import LONGEST, Called, joined, plain, title


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("salmonSushi", "salmon sushi"),
        ("MaxJr", "Max jr"),
        ("Daikon-Radish", "Daikon Radish"),
        ("boiled_egg", "boiled egg"),
        ("level-3", "level 3"),
        ("1.5", "1.5"),
    ],
)
def test_names_become_words(name: str, words: str) -> None:
    assert plain(name) == words


def test_names_share_the_room() -> None:
    assert joined(["Brew tea", "Sweep and mop"], 24) == "Brew tea + Sweep and mop"
    # 20 signs less 3 between them leave 8 for each: fewer than 9, so that one is told and the other counted.
    assert joined(["Brew coffee", "Sweep and mop"], 20) == "Brew coffee + 1 more"
    # 23 - 3 = 20 leave 10 each; "Sweep and mop" is cut between its words.
    assert joined(["Brew tea", "Sweep and mop"], 23) == "Brew tea + Sweep and…"
    assert joined(["Pneumonoultramicroscopic"], 10) == "Pneumonou…"


def test_options_are_told_in_words_the_most_important_first() -> None:
    said = {"bodies": "{} cooks", "seats=each": "each their own seat"}
    options = {"seats": "each", "table": "2", "bodies": "3"}
    assert title(Called(("soup",)), options, said) == "Soup · 3 cooks, each their own seat, table 2"
    assert title(Called(("soup",), ("plain 01",)), {"seats": "0+1.2"}, said) == "Soup · plain 01, seats 0+1.2"


def test_no_name_is_too_long_or_moves_a_terminal() -> None:
    told = title(Called(("a\x1b[2J" * 40, "b" * 100)), {f"o{at}": "x" * 30 for at in range(9)}, {})
    assert len(told) <= LONGEST and told.isprintable()


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("cuisineworld/level_3@seats=each", "Kitchen 3: salmon sushi, tuna sushi · each their own seat"),
        ("clocked_kitchen/level_3@asks=always", "Kitchen 3: salmon sushi, tuna sushi · by the clock"),
        ("timearena/household1+household8", "Brew tea + Sweep and mop"),
        ("recipe2plan/Cobbler+Pancakes@lags=off", "Cobbler + Pancakes · any step may wait"),
        ("robotouille/multi_agent/1@seed=42", "Lettuce burger · together, kitchen 42"),
        ("desk/plain/01", "A day with the zoning map · plain 01"),
        ("desk/user/my-lunch", "My lunch"),  # a user's file, which no id leads to
        ("nowhere/level_3@bodies=3", "Level 3@bodies=3"),
    ],
)
def test_ids_are_told_by_the_words_of_their_worlds(id: str, name: str) -> None:
    assert registry.title(id) == name
