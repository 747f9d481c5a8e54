"""Symbols become names that fit and can be told apart, and nothing else of a draft changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.generation.names import THEMES, Named, apart, named, singular, theme_words
from backburner.kernel.errors import UnknownName
from backburner.kernel.generating import Draft, Naming, Rejected, Role, Symbol

FIRING = Draft(
    fields={
        "tasks": [
            {
                "goal": "The <m1> is <v1.past>, then <v2.past> <v2.in> the <d1>.",
                "things": ["<m1>", "<d1>", "a", "b", "c"],
            },
            {"things": ["d", "e", "f", "g", "h"], "minutes": {"<v1>": 3, "<v2>": 40}},
        ],
        "verbs": [["<v1>", "<v1> OBJ"], ["<v2> <v2.in>", "<v2> OBJ1 <v2.in> OBJ2"]],
    },
    symbols={
        "m1": Symbol("material"),
        "d1": Symbol("device"),
        "v1": Symbol("hand verb", stage=1, minutes=3),
        "v2": Symbol("machine verb", stage=2, minutes=40),
    },
    shuffled=("tasks.things", "verbs"),
    beside={"kiln/<d1>.json": {"of": "<m1>"}},
)


def told(theme: str, seed: int = 0, draft: Draft = FIRING, naming: Naming | None = None) -> Named:
    return named(draft, theme, naming or Naming(), Random(seed))


def test_a_draft_is_told_in_a_pottery() -> None:
    found = told("pottery")
    material, device, first, second = (found.names[symbol] for symbol in ("m1", "d1", "v1", "v2"))
    lists = theme_words("pottery")
    verbs = {word.name: word for words in lists.verbs.values() for word in words}
    assert material in lists.nouns["material"] and device in lists.nouns["device"]
    assert verbs[first].stage == 1 and verbs[first].least <= 3 <= verbs[first].most
    assert verbs[second].stage == 2 and verbs[second].least <= 40 <= verbs[second].most
    past, into = verbs[second].past, verbs[second].preposition
    assert (
        found.fields["tasks"][0]["goal"]
        == f"The {material} is {verbs[first].past}, then {past} {into} the {device}."
    )
    assert found.fields["tasks"][1]["minutes"] == {first: 3, second: 40}
    assert [f"{second} {into}", f"{second} OBJ1 {into} OBJ2"] in found.fields["verbs"]
    assert found.beside == {f"kiln/{device}.json": {"of": material}}


def test_lists_are_shuffled_in_every_theme_alike() -> None:
    """Each task's own things, as the place goes through a list."""
    orders = [[task["things"] for task in told(theme, 3).fields["tasks"]] for theme in THEMES]
    for one, other in orders:
        assert one[2:] != ["a", "b", "c"] and sorted(other) == ["d", "e", "f", "g", "h"] != other
        assert [thing for thing in one if len(thing) == 1] == [x for x in orders[0][0] if len(x) == 1]
        assert other == orders[0][1]
    assert FIRING.fields["tasks"][1]["things"] == ["d", "e", "f", "g", "h"]  # the draft is as it was


def test_nothing_in_a_draft_without_symbols_is_renamed() -> None:
    chest = Draft(fields={"blocks": ["<furnace>", "chest"], "level": 2}, shuffled=("blocks",))
    found = told("nonsense", draft=chest)
    assert sorted(found.fields["blocks"]) == ["<furnace>", "chest"] and not found.names


def test_a_name_is_not_looked_into() -> None:
    """Names come from lists of ours; were one of them a symbol, it would still stand as it is."""
    doubled = Draft(fields={"<m1>": "<<m1>> < <m2>"}, symbols=dict.fromkeys(("m1", "m2"), Symbol("material")))
    found = told("pottery", draft=doubled)
    one, two = found.names["m1"], found.names["m2"]
    assert found.fields == {one: f"<{one}> < {two}"}


def test_what_a_draft_does_not_have_is_a_fault_of_its_generator() -> None:
    symbols = {"m1": Symbol("material")}
    with pytest.raises(LookupError, match="<m2>"):
        told("pottery", draft=Draft(fields={"a": "<m2>"}, symbols=symbols))
    with pytest.raises(LookupError, match=r"<m1\.past>"):  # a material is not a verb
        told("pottery", draft=Draft(fields={"a": "<m1.past>"}, symbols=symbols))
    with pytest.raises(LookupError, match=r"no list at tasks\.thigs"):
        told("pottery", draft=Draft(fields={"tasks": [{"things": []}]}, shuffled=("tasks.thigs",)))
    with pytest.raises(UnknownName, match="did you mean pottery"):
        told("potery")


def test_where_words_run_out_they_are_made_longer() -> None:
    """A pottery has 30 vessels; the next ones are told apart by an adjective."""
    many = Draft(fields={}, symbols={f"c{n}": Symbol("vessel") for n in range(100)})
    names = told("pottery", draft=many).names.values()
    vessels = set(theme_words("pottery").nouns["vessel"])
    assert sum(name in vessels for name in names) == 30
    assert all(name.split("_")[-1] in vessels for name in names)
    verbs = Draft(fields={}, symbols={f"v{n}": Symbol("machine verb", 3, 20) for n in range(30)})
    assert all(re.fullmatch("[a-z]+", name) for name in told("pottery", draft=verbs).names.values())


def test_names_are_what_the_world_allows() -> None:
    symbols = {f"c{n}": Symbol("vessel") for n in range(20)}
    naming = Naming(pattern="[a-z]+", longest=6, reserved=("buckets", "pail"))
    names = set(told("pottery", draft=Draft(fields={}, symbols=symbols), naming=naming).names.values())
    assert names.isdisjoint({"bucket", "pail", "canister"}) and max(map(len, names)) <= 6
    with pytest.raises(Rejected, match="not enough"):
        told("pottery", draft=Draft(fields={}, symbols=symbols), naming=Naming(longest=3))
    with pytest.raises(Rejected, match="not enough"):
        told("nonsense", draft=Draft(fields={}, symbols=symbols), naming=Naming(longest=3))


def test_no_verb_of_the_span_means_the_nearest_one() -> None:
    """Of a pottery's machine verbs, none takes 1,000 minutes; ``fire`` may take the longest, 240."""
    slow = Draft(fields={}, symbols={"v1": Symbol("machine verb", stage=2, minutes=1_000)})
    assert told("pottery", draft=slow).names == {"v1": "fire"}


def test_words_that_mean_nothing_are_far_apart() -> None:
    many = Draft(fields={}, symbols={f"m{n}": Symbol("material") for n in range(120)})
    names = told("nonsense", draft=many).names.values()
    assert min(apart(one, other) for one, other in combinations(names, 2)) == 3
    assert all(re.fullmatch("[a-z]{4,9}", name) for name in names)


def test_distances_of_words() -> None:
    assert apart("tarmi", "tarmi") == 0
    assert apart("tarmi", "tami") == 1  # without the r
    assert apart("tarmi", "ramo") == 3  # t to r, r left out, i to o
    assert apart("", "tar") == 3


def test_a_name_is_its_plural() -> None:
    pairs = {"tray": "trays", "caddy": "caddies", "box": "boxes", "glass": "glasses", "latch": "latches"}
    assert {singular(plural) for plural in pairs.values()} == set(map(singular, pairs)) == set(pairs)


# --- whatever is drafted ------------------------------------------------------------------------------------

SYMBOLS = st.dictionaries(
    st.from_regex(r"[a-z]{1,3}\d{1,3}", fullmatch=True),
    st.builds(
        Symbol,
        st.sampled_from([role for role in get_args(Role) if role != "person"]),
        st.integers(0, 3),
        st.one_of(st.integers(0, 40), st.floats(0.5, 500)),
    ),
    min_size=1,
    max_size=40,
)


def renamed_back(value: Any, symbols: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {renamed_back(key, symbols): renamed_back(item, symbols) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed_back(item, symbols) for item in value]
    return symbols.get(value, value)


@settings(max_examples=60, deadline=None)
@given(symbols=SYMBOLS, theme=st.sampled_from(THEMES), seed=st.integers(0, 2**32))
def test_names_can_be_told_apart_and_renamed_back(symbols: dict[str, Symbol], theme: str, seed: int) -> None:
    fields = {"all": [f"<{symbol}>" for symbol in symbols], "of": {f"<{each}>": each for each in symbols}}
    draft = Draft(fields=fields, symbols=symbols, shuffled=("all",))
    found = named(draft, theme, Naming(reserved=("wait",)), Random(seed))
    names = list(found.names.values())
    assert set(found.names) == set(symbols)
    assert len(set(map(singular, names))) == len(names) and "wait" not in names
    assert not any(other.startswith(f"{name}_") for name in names for other in names)
    assert all(re.fullmatch(Naming().pattern, name) for name in names)
    back = renamed_back(found.fields, {name: f"<{symbol}>" for symbol, name in found.names.items()})
    assert {**back, "all": sorted(back["all"])} == {**fields, "all": sorted(fields["all"])}
    again = Draft(fields=fields, symbols={key: symbols[key] for key in reversed(symbols)}, shuffled=("all",))
    assert named(again, theme, Naming(reserved=("wait",)), Random(seed)) == found
