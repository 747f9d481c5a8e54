"""What a participant's page says, in their language: the study's texts and those that every study needs.

The study's own come from its file. A key that a language lacks is shown in the study's main language. What
every page needs (buttons, why a form is not complete) ships in some languages; the keys begin with ``ui.``,
and a study's file may word each anew.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from backburner.kernel.files import Place
from backburner.kernel.values import filled
from backburner.study import pages
from backburner.study.design import (
    Choice,
    Condition,
    ConsentStage,
    FormStage,
    Item,
    Likert,
    PlayStage,
    Status,
    Study,
    TextStage,
)
from backburner.study.participants import Participant, back_of
from backburner.study.prose import blocks_of
from backburner.study.stages import AnyStage, PlacedStage, items_at

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
    return {language: flat(texts) for language, texts in tomllib.loads(raw).items()}


def flat(texts: Any, before: str = "") -> Any:
    """TOML makes tables of keys with dots; texts have them in their names."""
    if not isinstance(texts, dict):
        return texts
    found: dict[str, Any] = {}
    for key, value in texts.items():
        found |= flat(value, f"{before}{key}.") if isinstance(value, dict) else {before + key: value}
    return found


def text_of(study: Study, key: str, language: str) -> str:
    """What a key stands for: in this language, else in the study's main one, else in English."""
    for tongue in dict.fromkeys((language, _primary(language), study.language, _primary(study.language))):
        for texts in (study.texts, shipped()):
            if key in texts.get(tongue, {}):
                return texts[tongue][key]
    return shipped()["en"].get(key, key)


def label_of(study: Study, condition: Condition) -> str:
    """What a condition is called: its title, else those of its levels, else its name."""
    if condition.title:
        return text_of(study, condition.title, study.language)
    titles = [
        text_of(study, level.title, study.language) if level.title else level.name
        for factor in study.factors
        for level in factor.levels
        if condition.cell.get(factor.name) == level.name
    ]
    return " / ".join(titles) or condition.name


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
        "dropped",
    )
)
"""Fields of the file that hold keys of texts, one or several."""


def _keys_of_list(values: Iterable[Any], where: Place, name: str) -> Iterator[tuple[str, Place]]:
    for index, value in enumerate(values):
        if isinstance(value, Struct):
            yield from keys_in(value, where.entry(name, index, getattr(value, "name", None)))


# --- pages ------------------------------------------------------------------------------------------------


def words_of(study: Study, language: str) -> pages.WordsTold:
    """The words of every page in a language."""
    return pages.WordsTold(
        language,
        direction_of(language),
        study.languages,
        text_of(study, study.title, language),
        blocks_of(text_of(study, study.contact, language)),
        interface(study, language),
        study.retention.withdrawal,
        study.play.colours,
    )


def text_of_problem(study: Study, language: str, key: str, fills: Mapping[str, str]) -> str:
    """Why an answer does not do. ``required``, ``tick`` and ``wrong_check`` are whole sentences, other keys
    say what would fit."""
    text = _filled(text_of(study, UI + key, language), fills)
    if key in ("required", "tick", "wrong_check"):
        return text
    return _filled(text_of(study, f"{UI}wrong_form", language), {"why": text})


def _filled(text: str, fills: Mapping[str, str]) -> str:
    for name, value in fills.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def page_of(
    study: Study,
    one: Participant | None,
    placed: PlacedStage | None,
    status: Status | None,
    *,
    problems: Mapping[str, str] | None = None,
    wrong: bool = False,
    now: float = 0.0,
    waiting: pages.Waiting | None = None,
    deleted: bool = False,
    spoken: str = "",
) -> pages.StageTold:
    """The page of a participant at a stage, or at their end; ``one`` is ``None`` where nothing is kept, and
    ``spoken`` their language."""
    if placed is None or one is None or status is not None:
        return _end(study, one, status or "complete", spoken or study.language, deleted=deleted)
    language, found = one.language, dict(problems or {})
    stages = len(one.stages(study)) if one.assigned is not None else None
    notice = ""
    if found:
        key = "wrong_check" if wrong else "marked"
        notice = _filled(text_of(study, UI + key, language), {"number": str(len(found))})
    return pages.StageTold(
        placed.position,
        stages,
        placed.stage.name,
        _kind(placed, one),
        title=_word(study, getattr(placed.stage, "title", None), language),
        text=blocks_of(_word(study, _text_key(study, placed.stage), language)),
        boxes=_boxes(study, placed, language),
        items=tuple(_item(study, item, language) for item in items_at(study, placed, one.id)),
        problems=found,
        notice=notice,
        least_seconds=_least(placed, one, now),
        practice=isinstance(placed.stage, PlayStage) and placed.stage.practice,
        trial=placed.trial.number if placed.trial else 0,
        trials=placed.trials,
        game=_game(study, placed, one),
        waiting=waiting,
        attempt=one.attempt,
        messages=tuple(message.text for message in one.unread),
        message=len(one.messages),
    )


def _kind(placed: PlacedStage, one: Participant) -> pages.Kind:
    """The stage's own kind; trials, and a game that is not opened yet, are waited for."""
    waits = placed.kind == "trials" or (placed.kind == "play" and placed.position not in one.opened)
    return "wait" if waits else cast(pages.Kind, placed.kind)


def _word(study: Study, key: str | None, language: str) -> str:
    return "" if key is None else text_of(study, key, language)


def _text_key(study: Study, stage: AnyStage) -> str | None:
    """The key of a page's text; of a form, of its introduction."""
    if isinstance(stage, FormStage):
        return study.questionnaire(stage.questionnaire).intro
    return getattr(stage, "text", None)


def _boxes(study: Study, placed: PlacedStage, language: str) -> tuple[str, ...]:
    boxes = placed.stage.boxes if isinstance(placed.stage, ConsentStage) else ()
    return tuple(text_of(study, box, language) for box in boxes)


def _least(placed: PlacedStage, one: Participant, now: float) -> float:
    if not isinstance(placed.stage, TextStage):
        return 0.0
    return max(0.0, placed.stage.least_seconds - (now - one.entered.get(placed.position, now)))


def _game(study: Study, placed: PlacedStage, one: Participant) -> pages.Game | None:
    opened = one.opened.get(placed.position)
    return None if opened is None else filled(pages.Game, opened, study.play)


def _end(
    study: Study, one: Participant | None, status: Status, spoken: str, *, deleted: bool
) -> pages.StageTold:
    language = spoken if one is None else one.language
    own = getattr(study.ends, status)
    word = "thanks" if status == "complete" else status
    keys = [f"{UI}deleted", *([own] if own else [])] if deleted else [own or UI + word]
    code, back = back_of(study, status)
    position = 0 if one is None else one.position
    text = "\n\n".join(text_of(study, key, language) for key in keys)
    return pages.StageTold(position, None, status, "end", text=blocks_of(text), code=code, back=back)


OF_ONE_KIND = ("points", "several", "lowest", "highest", "whole", "lines", "longest")
"""Fields that items of some kinds have, and that pages are told by the same names."""


def _item(study: Study, item: Item, language: str) -> pages.ItemTold:
    options = item.options if isinstance(item, Choice) else ()
    ends = (item.low, item.high) if isinstance(item, Likert) else (None, None)
    own: dict[str, Any] = {name: getattr(item, name) for name in OF_ONE_KIND if hasattr(item, name)}
    return pages.ItemTold(
        item.name,
        item.__struct_config__.tag,  # type: ignore[arg-type]  # the kind
        text_of(study, item.text, language),
        item.required,
        low=_word(study, ends[0], language),
        high=_word(study, ends[1], language),
        options=tuple(pages.OptionTold(each.value, text_of(study, each.text, language)) for each in options),
        **own,
    )
