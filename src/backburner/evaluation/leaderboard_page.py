"""The leaderboard as one self-contained page, and as JSON."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from backburner.agents.planned import GREEDY, ORACLE
from backburner.evaluation.leaderboard import Board, Standing
from backburner.evaluation.likeness import IT
from backburner.evaluation.page_templates import page_templates
from backburner.kernel import __version__
from backburner.kernel.errors import one_line
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Estimate

PAGE, DATA = "index.html", "leaderboard.json"


def write_leaderboard(board: Board, out: Path, made: datetime.datetime | None = None) -> tuple[Path, Path]:
    """Write the page and the JSON into a folder; each appears whole or not at all. Returns their paths."""
    page, data = out / PAGE, out / DATA
    write_whole(data, msgspec.json.format(msgspec.json.encode(plain(board)), indent=1) + b"\n")
    write_whole(page, html(board, made or datetime.datetime.now().astimezone()).encode())
    return page, data


def plain(board: Board) -> dict[str, Any]:
    """The board as data: what was verified apart from what is claimed, record lists left out."""
    return {
        "edition": board.edition,
        "worlds": board.worlds,
        "left_out": board.left_out,
        "ranked": [_plain(one) for one in board.ranked],
        "not_ranked": [_plain(one) for one in board.unranked],
        "refused": board.refused,
    }


def _plain(one: Standing) -> dict[str, Any]:
    manifest = one.manifest
    return {
        "folder": one.folder,
        "place": None if one.best is None else {"best": one.best, "worst": one.worst},
        "why_not": one.why,
        "marks": one.marks,
        "likenesses": one.likenesses,
        "verified": {
            "headline": one.score,
            "worlds": one.worlds,
            "suites": one.suites,
            "missing": one.missing,
            "seeds": manifest.seeds,
            "records": len(manifest.records),
            "steps": one.steps,
            "versions": manifest.worlds,
        },
        "claimed": {
            "about": manifest.about,
            "agent": manifest.agent,
            "player": one.player,
            "settings": manifest.settings,
            "cost": manifest.cost,
            "key": manifest.key,
            "made_by": manifest.made_by,
        },
    }


def html(board: Board, made: datetime.datetime) -> str:
    """The page; it loads nothing and needs no network."""
    environment = page_templates()
    environment.filters["line"] = _line
    environment.filters["number"] = _number
    environment.filters["place"] = place_text
    environment.filters["brief"] = _brief
    environment.filters["beside"] = _beside
    return environment.get_template("leaderboard.html.jinja").render(
        board=board,
        span=_span(board.ranked),
        made=made.strftime("%Y-%m-%d %H:%M %Z"),
        version=__version__,
    )


def _line(text: object) -> str:
    """Foreign text in one line, without anything that would turn its writing."""
    return one_line(str(text))


def _number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "−")


def place_text(one: Standing) -> str:
    """``2`` or ``2–4``; a dash for none."""
    if one.best is None:
        return "–"
    return str(one.best) if one.best == one.worst else f"{one.best}–{one.worst}"


def _beside(one: Standing) -> str:
    """How often it decides as the oracle, and greedy does, where there is a choice; empty if unknown."""
    shares = {
        like.one: f"{100 * like.equal / like.choices:.0f} %"
        for like in one.likenesses
        if like.other == ORACLE and like.choices
    }
    own, usual = shares.get(IT), shares.get(GREEDY)
    return f"choices as the oracle's: {own} (greedy: {usual})" if own and usual else ""


def _brief(settings: Any) -> str:
    """Settings in a line of JSON."""
    return one_line(msgspec.json.encode(settings).decode())


def _span(ranked: Sequence[Standing]) -> tuple[float, float]:
    """From where to where the bars of headlines are drawn: 0 and 100 at the least."""
    ends = [end for one in ranked for end in _ends(one.score)]
    return min([0.0, *ends]), max([100.0, *ends])


def _ends(score: Estimate) -> list[float]:
    return [end for end in (score.value, score.low, score.high) if end is not None]
