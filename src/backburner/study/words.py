"""Words on the pages: the study's texts in the participant's language, and those that every study needs.

The study's own come from its file. A key that a language lacks is shown in the study's main language. What
every page needs (buttons, why a form is not complete) ships in some languages; the keys begin with ``ui.``,
and a study's file may word each anew.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

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
