"""Checking a submission: every record is played again, every figure computed again.

What can be told and is not true is a *problem*, with file and item. Everything else is sorted into what is
verified and what is merely claimed, as for single records (``kernel.claims``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isclose
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from backburner.evaluation.comparing.headline import Headline, Points, Scale, counts
from backburner.evaluation.records import Unusable, is_signature
from backburner.evaluation.submissions.originality import Likeness, likenesses, played
from backburner.evaluation.submissions.submission import (
    CLOCKED,
    MANIFEST,
    NO_REQUESTS,
    UNFINISHED,
    Figure,
    Item,
    Manifest,
    Submission,
    digest_of,
    read_submission,
)
from backburner.evaluation.submissions.submitting import Told, tell
from backburner.evaluation.submissions.vouching import ASKINGS, CHECKED, NOT_TOLD, Asking, read_vouched
from backburner.kernel.chain import MOST_BYTES
from backburner.kernel.claims import Fact, Verdict
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, MissingExtra, amount, one_line, shorten
from backburner.kernel.files import read_regular
from backburner.kernel.scoring import grouped


class Verification(Struct, frozen=True):
    """What a check has come to. ``problems``: a line each; without any, ``headline`` and ``marks`` are what
    the records show, whatever was claimed.

    ``asking``: in how many records what is known of how models were asked (of the seat of which least is); a
    record in which none was asked is in none. ``plays``: what was played in each record (``played``).
    ``likenesses``: to the package's own agents, which prove nothing.
    """

    folder: Path
    manifest: Manifest
    problems: tuple[str, ...]
    verified: tuple[Fact, ...] = ()
    claimed: tuple[Fact, ...] = ()
    headline: Headline | None = None
    points: Points = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    steps: int = 0
    asking: dict[Asking, int] = field(default_factory=dict)
    plays: tuple[str, ...] = ()
    likenesses: tuple[Likeness, ...] = ()


class Checked(Struct, frozen=True):
    """A record of a submission that is what the manifest says."""

    episode: Episode
    verdict: Verdict
    asking: Asking | None


def verify_submission(
    folder: Path,
    over: Scale,
    key: str = "",
    progress: Callable[[int], None] = lambda total: None,
    others: Sequence[Scale] = (),
) -> Verification:
    """Check a submission against what is installed here; with ``key``, it must be signed by that.

    It is of the edition ``over``, or of that of the ``others`` that it names. ``progress`` hears of each
    record, with the number of all. Raises ``BadFile`` where there is no manifest that can be read, or the
    folder does not hold exactly its files; ``MissingExtra`` where a signature has to be checked and cannot
    be.
    """
    submission = read_submission(folder)
    manifest = submission.manifest
    over = next((one for one in others if one.edition == manifest.edition), over)
    problems = list(_of_manifest(manifest, over, key))
    checked: list[Checked] = []
    for item in manifest.records:
        try:
            checked.append(_record(submission, item, over))
        except MissingExtra:
            raise
        except BackburnerError as error:
            problems.append(_line(folder, item.path, str(error)))
        progress(len(manifest.records))
    problems += _of_seeds(manifest)
    told = None
    if not problems:
        told, wrong = _told(manifest, checked, over)
        problems += wrong
    if problems or told is None:
        return Verification(folder, manifest, tuple(map(one_line, problems)))
    return Verification(
        folder,
        manifest,
        (),
        tuple(_verified(manifest, checked, key)),
        tuple(_claimed(manifest, checked, key)),
        told.headline,
        told.points,
        told.marks,
        sum(one.verdict.steps for one in checked),
        _askings(checked),
        tuple(played(one.episode) for one in checked),
        likenesses([one.episode for one in checked]),
    )


def _line(folder: Path, path: str, why: str) -> str:
    return f"{folder / path}: {why.removeprefix(f'{folder / path}: ').removeprefix('left out, because ')}"


def _of_manifest(manifest: Manifest, over: Scale, key: str) -> Iterator[str]:
    if manifest.edition != over.edition:
        yield (
            f"{MANIFEST}: field 'edition': its headline is over other worlds or references "
            f"({shorten(manifest.edition)}) than here ({over.edition})"
        )
    if key and manifest.key != key:
        whose = f"is of the key {manifest.key[:16]}…" if manifest.key else "there is none"
        yield f"{MANIFEST}: field 'signature': {whose}, and {key[:16]}… is asked for"
    if manifest.key:
        try:
            good = is_signature(manifest.key, manifest.signature, manifest.message)
        except MissingExtra:
            if key:
                raise
        else:
            if not good:
                yield f"{MANIFEST}: field 'signature': is no signature of this manifest by its key"


def _record(submission: Submission, item: Item, over: Scale) -> Checked:
    """The record that the manifest lists; raises what is wrong with it."""
    path = submission.files[item.path]
    content = read_regular(path, MOST_BYTES)
    if len(content) != item.bytes or digest_of(content) != item.digest:
        raise BackburnerError(f"is not the file that {MANIFEST} lists: it was changed, or put in its place")
    try:
        read = read_vouched(path)
    except Unusable as error:
        raise BackburnerError(error.why) from error
    header = read.episode.header
    told = {"id": (item.id, header.id), "seed": (item.seed, header.seed)}
    for name, (listed, holds) in told.items():
        if listed != holds:
            raise BackburnerError(f"field {name!r}: {MANIFEST} says {listed!r}, the record holds {holds!r}")
    if header.agent != submission.manifest.agent:
        raise BackburnerError(f"is of the agent {header.agent!r}, not of {submission.manifest.agent!r}")
    if not any(header.id in suite.references for suite in over.suites):
        raise BackburnerError(f"{header.id} is a scenario of no headline suite")
    if not counts(header, over.hosted.get(header.id)):
        raise BackburnerError("was not played under standard rules and the article's limits")
    if not read.episode.finished:
        raise BackburnerError("the episode is not finished")
    least = max((one.asking for one in read.players), key=ASKINGS.index, default=None)
    return Checked(read.episode, read.verdict, least)


def _askings(checked: Sequence[Checked]) -> dict[Asking, int]:
    counted = Counter(one.asking for one in checked)
    return {asking: counted[asking] for asking in ASKINGS if counted[asking]}


def _of_seeds(manifest: Manifest) -> Iterator[str]:
    """Seeds are those from 0 on, the same for all scenarios: nobody chooses the lucky ones."""
    expected = set(range(manifest.seeds))
    for id, items in grouped(manifest.records, lambda item: item.id).items():
        there = {item.seed for item in items}
        if more := sorted(there - expected):
            yield f"{MANIFEST}: {shorten(id)}: seed {more[0]}; the seeds are 0 to {manifest.seeds - 1}"
        elif UNFINISHED not in manifest.allowed and there != expected:
            lacking = min(expected - there)
            yield f"{MANIFEST}: {shorten(id)}: seed {lacking} is missing of {manifest.seeds} that are claimed"


def _told(manifest: Manifest, checked: Sequence[Checked], over: Scale) -> tuple[Told | None, list[str]]:
    """What the records show, and where the manifest says otherwise."""
    try:
        told = tell([one.episode for one in checked], over, manifest.prices)
    except BackburnerError as error:
        return None, [f"{MANIFEST}: field 'records': {error}"]
    if any(one.asking == NOT_TOLD for one in checked):
        told = replace(told, marks=(*told.marks, NO_REQUESTS))
    wrong = []
    for name in {**told.figures, **manifest.figures}:
        claimed, found = manifest.figures.get(name), told.figures.get(name)
        if not _equal(claimed, found):
            why = f"claims {_figure(claimed)}, the records give {_figure(found)}"
            wrong.append(f"{MANIFEST}: figures, {shorten(name, 200)!r}: {why}")
    for name in ("worlds", "settings", "cost"):
        if getattr(manifest, name) != getattr(told, name):
            where = _place(manifest, told, name)
            wrong.append(f"{MANIFEST}: field {name!r}: is not what the records hold{where}")
    for mark in told.marks:
        if mark not in ("informed", CLOCKED) and mark not in manifest.allowed:
            wrong.append(f"{MANIFEST}: field 'allowed': says nothing of {mark}")
    return told, [*wrong, *(f"{line}" for line in told.headline.wrong)]


def _place(manifest: Manifest, told: Told, name: str) -> str:
    """Where a field differs, as far as a word can tell."""
    if name == "cost":
        keys = [
            key
            for key in told.cost.__struct_fields__
            if getattr(told.cost, key) != getattr(manifest.cost, key)
        ]
        return f" ({', '.join(keys)})"
    if name == "settings":
        for one in told.settings:
            if one not in manifest.settings:
                return f" ({one.world}, {one.seat})"
    return ""


def _equal(one: Figure | None, other: Figure | None) -> bool:
    if one is None or other is None:
        return one is other
    pairs = ((getattr(one, end), getattr(other, end)) for end in ("value", "low", "high"))
    return all(
        a is b if a is None or b is None else isclose(a, b, rel_tol=1e-6, abs_tol=1e-6) for a, b in pairs
    )


def _figure(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return "none"
    ends = "" if figure.low is None or figure.high is None else f" [{figure.low:.6g}, {figure.high:.6g}]"
    return f"{figure.value:.6g}{ends}"


def asked_in_words(askings: Mapping[Asking, int]) -> str:
    """What is known of how models were asked, of how many records."""
    if not askings:
        return "by the records no model was asked"
    told = (f"{asking} in {number}" for asking, number in askings.items())
    return f"requests to models: {', '.join(told)} records"


# --- what is verified and what is claimed ----------------------------------------------------------------


def _verified(manifest: Manifest, checked: Sequence[Checked], key: str) -> Iterator[Fact]:
    scenarios = len({item.id for item in manifest.records})
    yield Fact("files", f"{len(checked)} records, each the one that the manifest lists, and no other file")
    yield Fact("records", "each is played again: what happened follows from scenario, rules and decisions")
    yield Fact("seeds", f"0 to {manifest.seeds - 1} of each of {scenarios} scenarios, each once")
    yield Fact("settings", "one agent; each world's seats were played as the manifest says, by their records")
    yield Fact("figures", f"{len(manifest.figures)}, computed again from the records")
    if asked := _askings(checked).get(CHECKED):
        why = "the requests to its models follow from method, settings and answers"
        yield Fact("requests", f"in {asked} of {len(checked)} records {why}")
    if key:
        yield Fact("signature", f"of the key {key[:16]}…, which was asked for")


def _claimed(manifest: Manifest, checked: Sequence[Checked], key: str) -> Iterator[Fact]:
    yield Fact("about", "agent, organisation, models, links and note are the submitter's own words")
    yield Fact("agent", f"that the answers came from {manifest.agent}; {asked_in_words(_askings(checked))}")
    yield Fact("attempts", "that these were the first episodes played, and not the best of many")
    calls = amount(manifest.cost.calls, "calls")
    yield Fact("cost", f"{calls}; the sums are right, calls, tokens and seconds as the records have them")
    if manifest.prices is not None:
        yield Fact("prices", "those that the submitter gave")
    if manifest.key and not key:
        yield Fact("signature", f"of the key {manifest.key[:16]}…; whose that is, --key can tell")
    parts = Counter(
        fact.part for one in checked for fact in {fact.part: fact for fact in one.verdict.claimed}.values()
    )
    for part, number in sorted(parts.items()):
        yield Fact(part, f"in {number} records, as for any record")
