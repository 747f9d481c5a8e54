"""A leaderboard of submissions: each is checked first, and a bad one is listed with the reason.

Places are by one edition of the headline, the first of those that are asked for in which anybody has a score;
what the same agent of the same submitter has in the others stands beside.

Places are ranges, as in any ranking here (``ranking``): two submissions are compared over the same scenarios,
each of which gives a difference of points; the mean difference has Student's test over independent suites,
with the degrees of freedom of Welch and Satterthwaite, and all pairs are corrected by Holm's method.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from math import fsum
from pathlib import Path
from statistics import fmean, variance
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import GREEDY, ORACLE
from backburner.evaluation.comparing.headline import PUBLISHED, Points, Scale
from backburner.evaluation.comparing.headline_tables import BUSY, RANDOM
from backburner.evaluation.comparing.ranking import place_text, places_of
from backburner.evaluation.records import is_signature
from backburner.evaluation.scoring.distributions import t_share
from backburner.evaluation.scoring.significance import holm, sign_flip_p
from backburner.evaluation.submissions.checking import Verification, asked_in_words, verify_submission
from backburner.evaluation.submissions.originality import (
    IT,
    Arrival,
    Likeness,
    copied,
    firsts,
    read_receipts,
    receive,
)
from backburner.evaluation.submissions.submission import (
    CLOCKED,
    MANIFEST,
    MIXED,
    NO_REQUESTS,
    STAND_INS,
    Manifest,
    digest_of,
)
from backburner.evaluation.templates import page_templates
from backburner.kernel import errors
from backburner.kernel.errors import BackburnerError, MissingExtra, one_line
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Estimate
from backburner.kernel.values import canonical_json, indented_json

UNRANKED: Mapping[str, str] = {
    STAND_INS: "a stand-in is no model",
    MIXED: "it was played with several settings",
    "informed": "it knew more than a player may",
    CLOCKED: "thinking took time: it stands beside those of its clock, by its name",
    NO_REQUESTS: "its records do not name what its models were asked",
}
"""Marks that keep a submission from having a place, and why."""


COMMON_CLOCK = "500/beat"
"""The clock that a board has a column for: it counts tokens, not hardware, and is as hard in every world."""


class Standing(Struct, frozen=True):
    """A submission whose every part was checked.

    ``best``, ``worst``: its place, from the one to the other, or ``None`` with the reason ``why`` it has
    none. ``worlds``: their scores. ``player``: what is known of who played, in words, and ``likenesses`` to
    the package's own agents. ``signed``: the key that vouches for it, whoever that is. ``clocked``: the
    headline of the same agent, of the same submitter, under the ``COMMON_CLOCK``, if that was submitted.
    ``of``: the edition; ``editions``: the headlines of the same agent and submitter in all that were
    submitted.
    """

    folder: str
    manifest: Manifest
    score: Estimate
    worlds: dict[str, Estimate]
    suites: dict[str, Estimate]
    marks: tuple[str, ...]
    missing: tuple[str, ...]
    steps: int
    best: int | None = None
    worst: int | None = None
    why: str = ""
    player: str = ""
    likenesses: tuple[Likeness, ...] = ()
    signed: str = ""
    clocked: Estimate | None = None
    of: str = PUBLISHED
    editions: dict[str, Estimate] = {}


class Refusal(Struct, frozen=True):
    """A submission that cannot be listed: the first problem, and how many more there are."""

    folder: str
    name: str
    why: str
    more: int = 0


class Board(Struct, frozen=True):
    """Those with a place, the best first; those without; and those that are refused. ``of``: the edition that
    gives places; ``beside``: others of which there is anything."""

    edition: str
    worlds: tuple[str, ...]
    ranked: tuple[Standing, ...]
    unranked: tuple[Standing, ...]
    refused: tuple[Refusal, ...]
    left_out: tuple[str, ...] = ()
    of: str = PUBLISHED
    beside: tuple[str, ...] = ()


def leaderboard(
    folder: Path,
    scales: Sequence[Scale],
    receipts: Path,
    progress: Callable[[str, int], None] = lambda name, total: None,
) -> Board:
    """The board of all submissions in a folder, each a folder of its own, of one of the editions ``scales``.

    ``receipts``: the board's own file of what it has seen, which those that are sound are added to.
    ``progress`` hears of each record of each submission. Raises ``BackburnerError`` if there is none, and
    where the receipts cannot be read.
    """
    read_receipts(receipts)
    folders = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if not folders:
        raise BackburnerError(f"{folder}: no folder of submissions, each a folder with {MANIFEST}")
    checked: list[Verification] = []
    refused: list[Refusal] = []
    for path in folders:
        found = _checked(path, scales, progress)
        if isinstance(found, Refusal):
            refused.append(found)
        else:
            checked.append(found)
    over = _placing(checked, scales)
    arrivals = [_arrival(one) for one in checked]
    first = firsts(receive(receipts, arrivals), [one.folder for one in arrivals])
    copies = [
        copied(arrival, first, _elsewhere(one, checked))
        for one, arrival in zip(checked, arrivals, strict=True)
    ]
    each = [_standing(one, copy, over) for one, copy in zip(checked, copies, strict=True)]
    standings = _beside_their_clock(_in_all_editions(each, [bool(copy) for copy in copies]))
    places = _places({one.folder.name: one.points for one in _with_place(checked, standings)}, over)
    ranked = [
        replace(one, best=places[one.folder][0], worst=places[one.folder][1])
        for one in standings
        if not one.why
    ]
    return Board(
        over.edition,
        over.worlds,
        tuple(sorted(ranked, key=lambda one: -(one.score.value or 0.0))),
        tuple(one for one in standings if one.why),
        tuple(refused),
        over.left_out,
        over.of,
        tuple(one.of for one in scales if one is not over and any(one.of in s.editions for s in standings)),
    )


def _placing(checked: Sequence[Verification], scales: Sequence[Scale]) -> Scale:
    """The first edition in which anybody has a score; else of which there is anything."""
    found = [one.headline for one in checked if one.headline is not None]
    there = {one.of for one in found if one.score.value is not None} or {one.of for one in found}
    return next((one for one in scales if one.of in there), scales[-1])


def _checked(
    path: Path, scales: Sequence[Scale], progress: Callable[[str, int], None]
) -> Verification | Refusal:
    """A submission that is what it says, or why it is not."""
    try:
        found = verify_submission(path, scales[-1], "", lambda total: progress(path.name, total), scales)
    except MissingExtra:
        raise
    except Exception as error:  # whatever a stranger sent, the others are listed all the same
        return Refusal(one_line(path.name), "", one_line(_within(path, errors.why(error))))
    if found.problems:
        first, *more = found.problems
        return Refusal(one_line(path.name), one_line(found.manifest.name), _within(path, first), len(more))
    return found


def _within(path: Path, why: str) -> str:
    """A message without the folder that it is about."""
    return why.replace(f"{path}/", "").replace(f"{path}: ", "")


def _arrival(one: Verification) -> Arrival:
    return Arrival(one.folder.name, digest_of(canonical_json(one.manifest)), one.plays)


def _elsewhere(one: Verification, every: Sequence[Verification]) -> Iterator[str]:
    """The folders of what its key has signed in other editions, which may share scenarios with this one; none
    where signatures cannot be checked."""
    own = one.manifest
    with suppress(MissingExtra):
        if own.key and is_signature(own.key, own.signature, own.message):
            there = (other for other in every if other.manifest.key == own.key)
            yield from (other.folder.name for other in there if other.manifest.edition != own.edition)


def _standing(one: Verification, copy: str, over: Scale) -> Standing:
    headline = one.headline
    assert headline is not None  # noqa: S101  a submission without problems has one
    why = next((why for mark, why in UNRANKED.items() if mark in one.marks), "")
    if not why and headline.score.value is None:
        why = f"it has no headline score: missing are {'; '.join(headline.missing)}"
    if headline.of != over.of:
        why = f"it is of the edition {headline.of}, and places are by {over.of}"
    return Standing(
        one.folder.name,
        one.manifest,
        headline.score,
        {world.world: world.score for world in headline.worlds},
        {f"{suite.world}/{suite.suite}": suite.score for suite in headline.suites if suite.scenarios},
        one.marks,
        headline.missing,
        one.steps,
        why=copy or why,
        player=asked_in_words(one.asking),
        likenesses=one.likenesses,
        signed=one.manifest.key if any(fact.part == "signature" for fact in one.claimed) else "",
        of=headline.of,
    )


def _in_all_editions(standings: Sequence[Standing], copies: Sequence[bool]) -> list[Standing]:
    """Each with what the same agent of the same submitter, signed by the same key, has in other editions."""
    found: dict[tuple[str, ...], dict[str, Estimate]] = {}
    for one, is_copy in zip(standings, copies, strict=True):
        if not is_copy and one.score.value is not None:
            found.setdefault(_whose(one), {}).setdefault(one.of, one.score)
    return [replace(one, editions={**found.get(_whose(one), {}), one.of: one.score}) for one in standings]


def _whose(one: Standing) -> tuple[str, ...]:
    return one.manifest.about.organisation, one.manifest.agent, one.signed


def _beside_their_clock(standings: Sequence[Standing]) -> list[Standing]:
    """Each with what the same agent of the same submitter has under the common clock."""
    clocked = {
        (one.manifest.about.organisation, one.manifest.agent): one.score
        for one in standings
        if one.why == UNRANKED[CLOCKED] and one.score.value is not None
    }
    return [replace(one, clocked=clocked.get(_under_the_clock(one.manifest))) for one in standings]


def _under_the_clock(manifest: Manifest) -> tuple[str, str]:
    return manifest.about.organisation, f"{manifest.agent} @{COMMON_CLOCK}"


def _with_place(checked: Sequence[Verification], standings: Sequence[Standing]) -> list[Verification]:
    return [one for one, standing in zip(checked, standings, strict=True) if not standing.why]


# --- places ----------------------------------------------------------------------------------------------


def _places(agents: Mapping[str, Points], over: Scale) -> dict[str, tuple[int, int]]:
    """The best and the worst place of each, by its name."""
    pairs = list(combinations(agents, 2))
    found = [difference(agents[one], agents[other], over) for one, other in pairs]
    corrected = holm([p for _, p in found])
    tests = [(*pair, mean, p) for pair, (mean, _), p in zip(pairs, found, corrected, strict=True)]
    return places_of(list(agents), tests)


def difference(one: Points, other: Points, over: Scale) -> tuple[float, float | None]:
    """(the difference of two headlines over the same scenarios, the p-value of there being none).

    With a suite's weight w, its n scenarios' mean difference d and their variance v, the mean is Σ w d, its
    variance V = Σ w² v / n, and its degrees of freedom V² / Σ ((w² v / n)² / (n - 1)). Where no suite's
    differences vary, the permutation test stands in for Student's.
    """
    mean, spread, freedom = 0.0, 0.0, 0.0
    every: list[float] = []
    for suite in over.suites:
        weight, own, others = over.weight(suite), one[suite.name], other[suite.name]
        deltas = [own[id] - others[id] for id in own]
        mean += weight * fmean(deltas)
        every += [weight * delta / len(deltas) for delta in deltas]
        if len(deltas) > 1:
            part = weight**2 * variance(deltas) / len(deltas)
            spread, freedom = spread + part, freedom + part**2 / (len(deltas) - 1)
    if spread <= 1e-18 * max(1.0, fsum(map(abs, every))):
        return mean, sign_flip_p(every)
    return mean, 2 * t_share(-abs(mean) / spread**0.5, spread**2 / freedom)


# --- as a page, and as JSON ------------------------------------------------------------------------------


PAGE, DATA = "index.html", "leaderboard.json"


def write_leaderboard(board: Board, out: Path, made: datetime.datetime | None = None) -> tuple[Path, Path]:
    """Write the page and the JSON into a folder; each appears whole or not at all. Returns their paths."""
    page, data = out / PAGE, out / DATA
    write_whole(data, indented_json(plain(board)))
    write_whole(page, html(board, made or datetime.datetime.now().astimezone()).encode())
    return page, data


def plain(board: Board) -> dict[str, Any]:
    """The board as data: what was verified apart from what is claimed, record lists left out."""
    return {
        "edition": board.edition,
        "of": board.of,
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
            "editions": one.editions,
            f"headline @{COMMON_CLOCK}": one.clocked,
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
    environment.filters |= {"beside": _beside, "brief": _brief, "number": _number, "place": place_of}
    return environment.get_template("leaderboard.html.jinja").render(
        board=board,
        clock=COMMON_CLOCK if any(one.clocked is not None for one in board.ranked) else "",
        zero=(RANDOM if board.of == PUBLISHED else BUSY)["zero"],
        span=_span(board.ranked),
        made=made.strftime("%Y-%m-%d %H:%M %Z"),
    )


def _number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "−")


def place_of(one: Standing) -> str:
    """``2`` or ``2–4``; a dash for none."""
    return "–" if one.best is None or one.worst is None else place_text(one.best, one.worst)


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
