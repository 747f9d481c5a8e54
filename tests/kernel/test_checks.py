"""Declarations beside the structs of files: what each of them refuses, where, and in which words."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.checks import ONE_LINE, FileId, in_all, no_circle, none_of, refers_to, unique
from backburner.kernel.editor_schemas import schema_texts
from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place, check, converted
from support.promptly import within

Name = Annotated[str, Meta(max_length=5), ONE_LINE]


def shipped_pots() -> tuple[str, ...]:
    """Names that stand in no file."""
    return ("wok", "pan")


class Verb(Struct, frozen=True):
    name: Name


class Role(Struct, frozen=True):
    verb: Annotated[Name, refers_to("verb", "verbs.name")]
    minutes: Annotated[int, Meta(ge=0, le=10)] = 1


class Thing(Struct, frozen=True):
    name: Annotated[Name, none_of("a verb", "verbs.name")]
    roles: Annotated[tuple[Role, ...], unique("verb")] = ()
    needs: tuple[Annotated[str, refers_to("thing", "things.name", shipped_pots)], ...] = ()


class File(Struct, frozen=True, forbid_unknown_fields=True):
    id: FileId
    verbs: Annotated[tuple[Verb, ...], unique("name"), Meta(min_length=1)]
    things: Annotated[tuple[Thing, ...], in_all({"roles": 3}), no_circle("name", "needs")] = ()
    weights: dict[Name, Annotated[float, Meta(gt=0)]] = {}
    pot: Annotated[str | None, refers_to("pot", shipped_pots)] = None
    tags: Annotated[tuple[str, ...], unique()] = ()


GOOD: dict[str, Any] = {
    "id": "soup",
    "verbs": [{"name": "cut"}, {"name": "cook"}],
    "things": [{"name": "leek", "roles": [{"verb": "cut"}], "needs": ["wok"]}],
    "weights": {"leek": 1.5},
    "pot": "pan",
}


def leek(**changed: Any) -> dict[str, Any]:
    return {"things": [GOOD["things"][0] | changed]}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"id": "my soup"}, "field 'id': 'my soup': use letters, digits and _ . + - only"),
        ({"id": "soup\n"}, "field 'id': 'soup\\n': use"),
        ({"verbs": []}, "field 'verbs': 0 entries; at least one is needed"),
        ({"verbs": [{"name": "cut"}] * 2}, "verbs[1] 'cut': 'cut' stands here twice"),
        ({"tags": ["a", "b", "a"]}, "tags[2] 'a': 'a' stands here twice"),
        ({"pot": "pam"}, "field 'pot': unknown pot 'pam'; did you mean pan?"),
        ({"weights": {"leek": 0}}, "weights 'leek': is 0; it is more than 0"),
        ({"weights": {"leek": 1, "carrot": 2}}, "weights 'carrot': 'carrot' has 6 characters; at most 5"),
        ({"weights": {"leek": "x"}}, "weights 'leek': Expected `float`, got `str`"),
        ({"vers": []}, "unknown field `vers`; did you mean verbs?"),
        (leek(name="cook"), "things[0] 'cook', field 'name': 'cook' is a verb"),
        (leek(name="a\nb"), "field 'name': 'a\\nb': write one line, without control characters"),
        (leek(roles=[{"verb": "cutt"}]), "[0] 'cutt', field 'verb': unknown verb 'cutt'; did you mean cut?"),
        (leek(roles=[{"verb": "cut"}] * 2), "things[0] 'leek', roles[1] 'cut': 'cut' stands here twice"),
        (leek(roles=[{"verb": "cut", "minutes": 11}]), "field 'minutes': is 11; it is from 0 to 10"),
        (leek(roles=[{"verb": "cut", "minutes": 10**999}]), "is a number of 3319 bits; it is from 0 to 10"),
        (leek(needs=["leak"]), "needs[0] 'leak': unknown thing 'leak'; did you mean leek?"),
        (leek(needs=["leek"]), "field 'things': a circle: leek needs leek"),
        ({"things": GOOD["things"] * 4}, "field 'things': more than 3 roles in all"),
    ],
)  # fmt: skip
def test_what_is_not_as_declared_is_told_with_its_place(changed: dict[str, Any], told: str) -> None:
    assert converted(GOOD, File, Place("mine.json")).pot == "pan"
    with pytest.raises(BadFile) as error:
        converted(GOOD | changed, File, Place("mine.json"))
    assert str(error.value).startswith("mine.json: ")
    assert told in str(error.value)


def test_a_struct_is_checked_as_its_file_is() -> None:
    good = converted(GOOD, File, Place("mine.json"))
    check(good, Place("made"))
    with pytest.raises(BadFile, match="made: field 'pot': unknown pot 'pot'"):
        check(replace(good, pot="pot"), Place("made"))
    with pytest.raises(BadFile, match="made: field 'verbs': 0 entries"):
        check(replace(good, verbs=()), Place("made"))


def test_many_entries_are_checked_quickly() -> None:
    """Names are collected once, not for each that refers to them."""
    verbs = [{"name": f"v{number}"} for number in range(9_999)]
    things = [{"name": f"t{number}", "needs": ["wok", f"t{number}"][:1]} for number in range(9_999)]
    with within(2):
        converted(GOOD | {"verbs": verbs, "things": things}, File, Place("mine.json"))


def test_editors_are_told_of_the_same() -> None:
    text = schema_texts({"file": File})["file.schema.json"]
    assert '"pattern": "^[A-Za-z0-9_.+-]{1,200}$"' in text
    assert '"description": "use letters, digits and _ . + - only"' in text
    assert '"maximum": 10' in text and '"uniqueItems": true' in text and '"minItems": 1' in text
