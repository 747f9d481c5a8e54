"""What stands at the top of an episode's page: how it ended, the plan beside it, what cost time, settings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from backburner.evaluation.transcripts.gathered import Gathered
from backburner.evaluation.transcripts.plans import Kind, is_oracle
from backburner.evaluation.transcripts.steps import compact, costs
from backburner.kernel.claims import Verdict
from backburner.kernel.errors import amount, number, one_line, shorten
from backburner.kernel.scoring import Section
from backburner.kernel.values import total

DONE = "what was done"

MOST_LOSSES = 6
"""Causes of lost time that are told, the greatest."""


class Tile(Struct, frozen=True):
    """A fact: its value, what it is, whether that is good or bad, and the first step that it is about."""

    value: str
    label: str
    kind: str = ""
    first: int | None = None


def tiles(known: Gathered) -> Iterator[Tile]:
    """How the episode ended, how long it took, what was refused, what it cost, what a replay proves."""
    episode, ending = known.episode, known.episode.ending
    if ending is None:
        yield Tile("not finished", "the record stops here", "bad")
    else:
        kind = "good" if ending.numbers.get("completed") == 1 else "bad" if ending.status == "failed" else ""
        reason = ending.reason.replace("_", " ")
        words = ("failed", f"at the {reason}") if ending.status == "failed" else (reason, ending.status)
        yield Tile(*words, kind)
    yield _time(known)
    answers = amount(sum(len(entry.decided) for entry in episode.entries), "answers")
    refused = [entry.index for entry in episode.entries for _ in entry.refusals]
    yield _first_of(refused, f"of {answers} refused", "bad" if refused else "")
    differing = [entry.index for entry in episode.entries for each in entry.events if each.kind == "differs"]
    if differing:
        yield _first_of(differing, "differences from what was predicted")
    spent = total(usage for _, usage in episode.costs())
    cost = ", ".join(costs(msgspec.structs.replace(spent, endings={}, servers={})))
    if cost:
        yield Tile(cost, "what the answers took", "small")
    verdict = known.verdict
    if isinstance(verdict, Verdict):
        yield Tile("replayed", f"{amount(verdict.steps, 'steps')}, all as recorded", "good")
    else:
        yield Tile("not verified", shorten(verdict, 200), "bad small")


def _first_of(steps: Sequence[int], label: str, kind: str = "") -> Tile:
    return Tile(str(len(steps)), label, kind, steps[0] if steps else None)


def _time(known: Gathered) -> Tile:
    """How long it took, beside the plan."""
    took = amount(known.ends, known.header.time_unit)
    if isinstance(known.plan, str):
        return Tile(took, "the oracle's own play" if is_oracle(known.header) else "from beginning to end")
    more = known.ends - known.plan_ends
    told = f"the plan takes {number(known.plan_ends)}"
    if more:
        told += f" ({'+' if more > 0 else '−'}{number(abs(more))})"
    # What was left undone took no time, which is no lead.
    if known.alongside is None or known.alongside.missing:
        told += ", and does more"
    return Tile(took, told, "bad" if more > 0 else "")


# --- tables -----------------------------------------------------------------------------------------------


def tables(known: Gathered) -> Iterator[tuple[Section, Sequence[str]]]:
    """(a table, where each of its rows leads to): what cost time, the result, where the time went."""
    yield from _losses(known)
    yield from ((section, ()) for section in (*_numbers(known), *_account(known)))


def _numbers(known: Gathered) -> Iterator[Section]:
    """The world's own figures, beside those of the plan."""
    ending, text = known.episode.ending, known.plan
    if ending is None or not ending.numbers:
        return
    plan = None if isinstance(known.plan, str) else known.plan.episode.ending
    if not isinstance(text, str):
        text = f"Plan: {text.origin}." if plan is not None else ""
    rows = [
        (
            shorten(name.replace("_", " ")),
            number(value),
            *([number(plan.numbers[name]) if name in plan.numbers else "–"] if plan is not None else []),
        )
        for name, value in ending.numbers.items()
    ]
    yield Section("Result", text, ("", "here", *(["plan"] if plan is not None else [])), tuple(rows))


def _losses(known: Gathered) -> Iterator[tuple[Section, Sequence[str]]]:
    """When the episode fell behind the plan, the worst first."""
    beside = known.alongside
    if beside is None:
        return
    late = round(beside.behind(known.ends), 1)
    if late <= 0 and not beside.missing:
        return
    worst = sorted(beside.losses, key=lambda loss: -loss.lost)[:MOST_LOSSES]
    rows = tuple(
        (
            f"{number(loss.begin)}–{number(loss.end)}",
            f"+{number(round(loss.lost, 1))}",
            shorten(loss.why, 200),
        )
        for loss in worst
    )
    ended = f"It ended {number(late)} behind" if late > 0 else "It did not end behind"
    unit = known.header.time_unit
    text = f"In {unit}: when it fell behind the plan, and what was done meanwhile. {ended}."
    if beside.missing:
        names = shorten(", ".join(dict.fromkeys(piece.label for piece in beside.missing)), 300)
        text += f" Of the plan's work {len(beside.missing)} never done: {names}."
    if rows or beside.missing:
        section = Section("What cost time", text, ("when", "lost", DONE), rows)
        yield section, [f"#step-{_step_at(known, loss.end)}" for loss in worst]


def _step_at(known: Gathered, time: int | float) -> int:
    """The step in which something happened that was over at a time."""
    ends: list[int | float] = [place.ends for place in known.places]
    return known.places[min(bisect_left(ends, time), len(known.places) - 1)].entry.index


KINDS: dict[Kind, str] = {
    "planned": "work of the plan",
    "repeated": "done again",
    "unplanned": "other work",
    "waited": "waited",
    "refused": "refused",
    "idle": "nothing",
}


def _account(known: Gathered) -> Iterator[Section]:
    """What each body did with its time, here and in the plan."""
    beside = known.alongside
    if beside is None or known.plan_chart is None:
        return
    mine, planned = beside.account(known.ends), known.planned
    kinds = [kind for kind in KINDS if any(kind in of for of in (*mine.values(), *planned.values()))]
    rows = tuple(
        (shorten(f"{body}{where}"), *(number(of.get(body, {}).get(kind, 0)) for kind in kinds))
        for body in known.bodies
        for where, of in (("", mine), (", plan", planned))
    )
    columns = ("", *(KINDS[kind] for kind in kinds))
    yield Section("Where the time went", f"In {known.header.time_unit}.", columns, rows)


# --- settings ---------------------------------------------------------------------------------------------


def settings(known: Gathered) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(title, names with their values): the record's header, and what a replay verifies."""
    header, verdict = known.header, known.verdict
    yield "Settings and versions", list(_terms(known))
    if isinstance(verdict, Verdict):
        facts = [(f"verified: {fact.part}", fact.why) for fact in verdict.verified]
        facts += [(f"claimed: {fact.part}", fact.why) for fact in verdict.claimed]
        yield f"Verified {len(verdict.verified)}, claimed {len(verdict.claimed)}", facts
    for title, value in (("Rules", header.rules), ("Limits", header.limits)):
        if isinstance(value, dict):
            yield title, [(str(key), compact(part)) for key, part in value.items()]


def _terms(known: Gathered) -> Iterator[tuple[str, str]]:
    header = known.header
    yield "record", str(known.path)
    yield "world", f"{header.world}, version {header.world_version}"
    yield "recorded with", f"backburner {one_line(header.version)}, format {header.format}"
    yield "rules", header.rules_name
    for seat, player in header.players.items():
        where = f"{seat}, " if len(header.players) > 1 else ""
        yield f"{where}agent", f"{player.name}{' (informed)' if player.informed else ''}"
        for key, value in player.settings.items():
            yield f"{where}{key}", compact(value)
