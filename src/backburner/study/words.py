"""Words on the pages: the study's texts in the participant's language, and those that every study needs.

The study's own come from its file. A key that a language lacks is shown in the study's main language. What
every page needs (buttons, why a form is not complete) ships in some languages; the keys begin with ``ui.``,
and a study's file may word each anew.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backburner.kernel.files import Place
from backburner.study.design import Study

UI = "ui."

RIGHT_TO_LEFT = frozenset(
    ("ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi")
)
"""Languages whose usual script runs from right to left."""

RIGHT_TO_LEFT_SCRIPTS = frozenset(("adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"))

Direction = Literal["ltr", "rtl"]


def direction_of(language: str) -> Direction:
    """Which way a language is written; its script says so where it is named, as in ``az-Arab``."""
    primary, *others = language.lower().split("-")
    scripts = [part for part in others if len(part) == 4 and part.isalpha()]
    if scripts:
        return "rtl" if scripts[0] in RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if primary in RIGHT_TO_LEFT else "ltr"


@cache
def shipped() -> dict[str, dict[str, str]]:
    """Language to key to text: what every page needs, and the shipped questionnaires."""
    raw = files(__package__).joinpath("data", "words.toml").read_text("utf-8")
    found = tomllib.loads(raw)
    return {language: dict(_flat(table)) for language, table in found.items()}


def _flat(table: dict[str, object], before: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(value, f"{before}{key}.")
        else:
            found.append((before + key, str(value)))
    return found


def text_of(study: Study, key: str, language: str) -> str:
    """What a key stands for: in this language, else in the study's main one, else in English."""
    for tongue in dict.fromkeys((language, _primary(language), study.language, _primary(study.language))):
        for texts in (study.texts, shipped()):
            if key in texts.get(tongue, {}):
                return texts[tongue][key]
    return shipped()["en"].get(key, key)


def is_text(study: Study, key: str) -> bool:
    """Whether a key stands for something in the study's main language."""
    return key in study.texts.get(study.language, {}) or key in shipped()["en"]


def interface(study: Study, language: str) -> dict[str, str]:
    """The words that every page needs, without their ``ui.``."""
    keys = [key for key in shipped()["en"] if key.startswith(UI)]
    return {key.removeprefix(UI): text_of(study, key, language) for key in keys}


def language_for(study: Study, asked: str) -> str:
    """The language of the study that fits best to one, or to a list of them as browsers send it."""
    for wish in (part.partition(";")[0].strip().lower() for part in asked[:200].split(",")):
        for language in study.languages:
            if language.lower() == wish:
                return language
        for language in study.languages:
            if wish and _primary(language.lower()) == _primary(wish):
                return language
    return study.language


def _primary(language: str) -> str:
    return language.partition("-")[0]


# --- keys of texts -------------------------------------------------------------------------------------


def keys_in(value: Any, where: Place) -> Iterator[tuple[str, Place]]:
    """(key of a text, where it is named) for every field of a part of the file that names one."""
    if isinstance(value, Struct):
        for field in msgspec.structs.fields(type(value)):
            inner = getattr(value, field.name)
            if field.name in KEY_FIELDS and field.name != "texts":
                for key in (inner,) if isinstance(inner, str) else inner or ():
                    yield key, where.field(field.name)
            elif isinstance(inner, tuple):
                yield from _keys_of_list(inner, where, field.name)
            elif isinstance(inner, Struct):
                yield from keys_in(inner, where.at(field.name))


KEY_FIELDS = frozenset(
    (
        "text",
        "title",
        "intro",
        "low",
        "high",
        "boxes",
        "contact",
        "complete",
        "declined",
        "withdrawn",
        "unmatched",
    )
)
"""Fields of the file that hold keys of texts, one or several."""


def _keys_of_list(values: Iterable[Any], where: Place, name: str) -> Iterator[tuple[str, Place]]:
    for index, value in enumerate(values):
        if isinstance(value, Struct):
            yield from keys_in(value, where.entry(name, index, getattr(value, "name", None)))
