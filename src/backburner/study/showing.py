"""What a participant's page shows, in their language."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.study import pages
from backburner.study.course import Stop, items_at
from backburner.study.design import (
    Choice,
    ConsentStage,
    FormStage,
    Item,
    Likert,
    Number,
    PlayStage,
    Status,
    Study,
    TextStage,
    Words,
)
from backburner.study.links import back_of
from backburner.study.participants import Participant
from backburner.study.words import UI, direction_of, interface, text_of


def words_of(study: Study, language: str) -> pages.WordsTold:
    """The words of every page in a language."""
    return pages.WordsTold(
        language,
        direction_of(language),
        study.languages,
        text_of(study, study.title, language),
        text_of(study, study.contact, language),
        interface(study, language),
        study.retention.withdrawal,
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
    stop: Stop | None,
    status: Status | None,
    *,
    problems: Mapping[str, str] | None = None,
    wrong: bool = False,
    now: float = 0.0,
    waiting: pages.Waiting | None = None,
    deleted: bool = False,
) -> pages.StageTold:
    """The page of a participant at a stop, or at their end; ``one`` is ``None`` where nothing is kept."""
    if stop is None or one is None or status is not None:
        return _end(study, one, status or "complete", deleted=deleted)
    language, found = one.language, dict(problems or {})
    stops = len(one.course(study)) if one.assigned is not None else None
    notice = ""
    if found:
        key = "wrong_check" if wrong else "marked"
        notice = _filled(text_of(study, UI + key, language), {"number": str(len(found))})
    return pages.StageTold(
        stop.position,
        stops,
        stop.stage.name,
        _kind(stop, one),
        title=_title(study, stop, language),
        text=_text(study, stop, language),
        boxes=_boxes(study, stop, language),
        items=tuple(_item(study, item, language) for item in items_at(study, stop, one.id)),
        problems=found,
        notice=notice,
        least_seconds=_least(stop, one, now),
        practice=isinstance(stop.stage, PlayStage) and stop.stage.practice,
        trial=stop.trial.number if stop.trial else 0,
        trials=stop.trials,
        game=_game(stop, one),
        waiting=waiting,
    )


def _kind(stop: Stop, one: Participant) -> pages.Kind:
    match stop.stage:
        case TextStage():
            return "text"
        case ConsentStage():
            return "consent"
        case FormStage():
            return "form"
        case PlayStage():
            return "play" if stop.position in one.opened else "wait"
        case _:
            return "wait"


def _title(study: Study, stop: Stop, language: str) -> str:
    title = getattr(stop.stage, "title", None)
    return "" if title is None else text_of(study, title, language)


def _text(study: Study, stop: Stop, language: str) -> str:
    if isinstance(stop.stage, TextStage | ConsentStage):
        return text_of(study, stop.stage.text, language)
    if isinstance(stop.stage, FormStage):
        intro = study.questionnaire(stop.stage.questionnaire).intro
        return "" if intro is None else text_of(study, intro, language)
    return ""


def _boxes(study: Study, stop: Stop, language: str) -> tuple[str, ...]:
    boxes = stop.stage.boxes if isinstance(stop.stage, ConsentStage) else ()
    return tuple(text_of(study, box, language) for box in boxes)


def _least(stop: Stop, one: Participant, now: float) -> float:
    if not isinstance(stop.stage, TextStage):
        return 0.0
    return max(0.0, stop.stage.least_seconds - (now - one.entered.get(stop.position, now)))


def _game(stop: Stop, one: Participant) -> pages.Game | None:
    opened = one.opened.get(stop.position)
    return None if opened is None else pages.Game(opened.game, opened.seat, opened.token)


def _end(study: Study, one: Participant | None, status: Status, *, deleted: bool) -> pages.StageTold:
    language = study.language if one is None else one.language
    own = getattr(study.ends, status)
    words = {"complete": "thanks", "declined": "declined", "withdrawn": "withdrawn", "unmatched": "unmatched"}
    key = f"{UI}deleted" if deleted else own or UI + words[status]
    code, back = back_of(study, status)
    position = 0 if one is None else one.position
    text = text_of(study, key, language)
    return pages.StageTold(position, None, status, "end", text=text, code=code, back=back)


def _item(study: Study, item: Item, language: str) -> pages.ItemTold:
    def word(key: str | None) -> str:
        return "" if key is None else text_of(study, key, language)

    text = word(item.text)
    match item:
        case Likert():
            low, high = word(item.low), word(item.high)
            return pages.ItemTold(
                item.name, "likert", text, item.required, points=item.points, low=low, high=high
            )
        case Choice():
            options = tuple(pages.OptionTold(each.value, word(each.text)) for each in item.options)
            return pages.ItemTold(
                item.name, "choice", text, item.required, options=options, several=item.several
            )
        case Number():
            return pages.ItemTold(
                item.name,
                "number",
                text,
                item.required,
                lowest=item.lowest,
                highest=item.highest,
                whole=item.whole,
            )
        case Words():
            return pages.ItemTold(
                item.name, "text", text, item.required, lines=item.lines, longest=item.longest
            )
