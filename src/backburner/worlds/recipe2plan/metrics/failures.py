"""Why episodes failed: one source for each, decided from its record (article, section 5.2, Figure 5).

The article tells three sources apart by how play was cut off: a broken time constraint, a loop, too
many revisions. Here the first of these is told by why the constraint could not be kept, the others by
what was refused, and whatever else ends an episode has a name too.

A constraint that could no longer be kept when play was over is the source however play ended, as
nothing else could have saved the dish. Of several the one that was due first counts.

The same sources are classes that cases are sorted into, and the record decides each. Why agents violate
dependencies although they are told all of them the article found in their reasoning: they want to do several
things at once, and lose sight of what is possible. That takes somebody who reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from backburner.kernel.assessment import Annotation, Case, LabelSet
from backburner.kernel.episode import Episode
from backburner.kernel.files import shipped
from backburner.kernel.replay import final_state
from backburner.kernel.scoring import Section
from backburner.worlds.recipe2plan.game.catalogue import catalogue
from backburner.worlds.recipe2plan.game.rule_set import NO_LIMITS
from backburner.worlds.recipe2plan.game.state import Cook, Piece, State
from backburner.worlds.recipe2plan.game.transition import Rulebook
from backburner.worlds.recipe2plan.game.world import Recipe2Plan
from backburner.worlds.recipe2plan.metrics.analysis import NO_ACTION, Rows, cells, kind_of_refusal
from backburner.worlds.recipe2plan.metrics.assessment import LagWindow, accepted, label, lag_windows, violated

UNPREPARED = "greedy start, other steps missing"
"""The earlier step was begun too soon: something else that the late step needs was not done in time."""
BUSY = "greedy start, hands or appliance busy"
"""The earlier step was begun too soon: the cook, or the appliance, was not free before it was too late."""
ANOTHER_FIRST = "another step taken first"
"""The late step could have been started in time, and the cook began something else just then."""
IDLE = "cook idle"
"""It could have been started while the cook did nothing."""
REPEATED = "complete step repeated"
"""It had been started in time, and was tried again (a violation under released rules only)."""

CAUSES = (UNPREPARED, BUSY, ANOTHER_FIRST, IDLE, REPEATED)
"""Why a time constraint was not kept."""

EARLY = "finished early"
"""The cook said that all was done; it was not."""

MOST_ROWS = 10
"""Of each agent in a table of time constraints or steps."""


class Failure(Struct, frozen=True, omit_defaults=True):
    """Why an episode failed.

    ``source``: one of the module's, in words. ``constraint`` and ``cause``: of a broken time
    constraint, which one and why. ``missing``: the steps that are not complete.
    """

    source: str
    missing: tuple[str, ...]
    constraint: str = ""
    cause: str = ""


def failure(episode: Episode) -> Failure | None:
    """Why the episode failed; ``None`` if every step is complete, or the record has no ending."""
    header, ending = episode.header, episode.ending
    world = catalogue.of(header)
    state = final_state(episode, world)
    left = state.kitchen.left
    if ending is None or not any(left):
        return None
    missing = tuple(job.label for job in world.compiled.jobs if left[job.index])
    broken = _broken(episode, world, state)
    if broken is not None:
        constraint, cause = broken
        return Failure(f"time constraint: {cause}", missing, constraint, cause)
    return Failure(_other_source(episode, ending.status, ending.reason), missing)


def _broken(episode: Episode, world: Recipe2Plan, state: State) -> tuple[str, str] | None:
    """(constraint, cause), if one was broken."""
    pieces = accepted(episode)
    missed = [window for window in lag_windows(world.compiled, pieces, state) if window.missed]
    if missed:
        first = min(missed, key=lambda window: window.closes)
        return label(world.compiled, first.lag), _cause(world, pieces, state, first)
    repeated = violated(world.compiled, state)
    return (label(world.compiled, repeated), REPEATED) if repeated is not None else None


def _cause(world: Recipe2Plan, pieces: Sequence[Piece], state: State, window: LagWindow) -> str:
    chances = list(_chances(world, pieces, window))
    if chances:
        return IDLE if any(chances) else ANOTHER_FIRST
    kitchen = state.kitchen
    needs = world.compiled.jobs[window.lag.job].after
    done = ((kitchen.left[need], kitchen.ends[need]) for need in needs)
    late = any(left or ended is None or ended > window.closes for left, ended in done)
    return UNPREPARED if late else BUSY


def _chances(world: Recipe2Plan, pieces: Sequence[Piece], window: LagWindow) -> Iterator[bool]:
    """For each moment at which the cook was free and the late step could have been started in time:
    whether the cook did nothing then. It is enough to look at the ends of what runs."""
    book = Rulebook(world.compiled, world.rules, NO_LIMITS)
    job, state = world.compiled.jobs[window.lag.job], book.start()
    for piece in (*pieces, None):
        kitchen = state.kitchen
        free_until = window.closes if piece is None else min(piece.start, window.closes)
        first = max(kitchen.clock, window.ended)
        for time in {first, *(running.ends for running in kitchen.running)}:
            tried = Piece(job.number, job.recipe, kitchen.left[job.index], time)
            if first <= time <= free_until and book.legality.obstacle(kitchen, job, tried) is None:
                yield piece is None or time < piece.start
        if piece is not None:
            state = book.step(state, Cook((piece,))).state


def _other_source(episode: Episode, status: str, reason: str) -> str:
    refused = Counter(kind_of_refusal(r) for entry in episode.entries for r in entry.refusals)
    main = max(refused, key=refused.__getitem__, default="")
    match reason:
        case "stuck" | "revision_limit" if main == NO_ACTION:
            return "unreadable answers"
        case "stuck":
            return f"stuck: {kind_of_refusal(episode.entries[-1].refusals[0])}"
        case "revision_limit":
            return f"revisions: mostly {main}"
        case "turn_limit":
            return "turns used up"
        case "finish":
            return EARLY
        case _:
            return f"{status}: {reason}" if reason else status


# --- tables ----------------------------------------------------------------------------------------


class _Cell(NamedTuple):
    agent: str
    setting: str
    episodes: int
    failures: list[Failure]


def sections(rows: Rows) -> list[Section]:
    """Sources by agent; which constraints were broken, and why; what was missing at an early finish.

    Tables without a row are left out.
    """
    found = []
    for agent, setting, mine in cells(rows):
        reasons = (failure(episode) for episode, measures in mine if not measures["success"])
        found.append(_Cell(agent, setting, len(mine), [reason for reason in reasons if reason is not None]))
    tables = (_sources(found), _constraints(found), _missing(found))
    return [table for table in tables if table.rows]


def _sources(found: Sequence[_Cell]) -> Section:
    table = []
    for cell in found:
        for source, count in Counter(one.source for one in cell.failures).most_common():
            table.append((cell.agent, cell.setting, source, count, round(100 * count / cell.episodes, 1)))
    return Section(
        "Why they failed",
        "One source for each failed episode; the share is of all episodes, in per cent. A time constraint "
        "that could no longer be kept comes first, however play ended. A greedy start: the earlier "
        "step was begun too soon, so that when it ended something else was not ready, or the cook's hands "
        "or the appliance were busy until it was too late. Otherwise the late step could have been "
        "started in time, and the cook took another step first, or did nothing.",
        ("agent", "setting", "source", "episodes", "share"),
        tuple(table),
    )


def _constraints(found: Sequence[_Cell]) -> Section:
    table = []
    for cell in found:
        broken = [one for one in cell.failures if one.constraint]
        causes = Counter((one.constraint, one.cause) for one in broken)
        for constraint, count in Counter(one.constraint for one in broken).most_common(MOST_ROWS):
            by_cause = (causes[constraint, cause] for cause in CAUSES)
            table.append((cell.agent, cell.setting, constraint, count, *by_cause))
    return Section(
        "Time constraints that were broken",
        f"Numbers of episodes, the {MOST_ROWS} most frequent ones of each agent: which step had to start "
        "within how long of the end of which earlier one, and why it did not.",
        ("agent", "setting", "constraint", "episodes", *CAUSES),
        tuple(table),
    )


def _missing(found: Sequence[_Cell]) -> Section:
    table = []
    for cell in found:
        early = (one for one in cell.failures if one.source == EARLY)
        steps = Counter(step for one in early for step in one.missing)
        table += [(cell.agent, cell.setting, *row) for row in steps.most_common(MOST_ROWS)]
    return Section(
        "Missing when the cook said that all was done",
        f"Numbers of episodes, the {MOST_ROWS} steps of each agent that were missing most often.",
        ("agent", "setting", "step", "episodes"),
        tuple(table),
    )


# --- what is sorted into classes -------------------------------------------------------------------------

STUCK, REVISIONS, OTHER = "stuck in a loop", "maximum of revisions", "other"
DEPENDENCY = "Dependency"

SOURCES, VIOLATIONS = shipped("backburner.worlds.recipe2plan", "labels", tuple[LabelSet, ...])


def sources(episode: Episode) -> Sequence[Case]:
    """The episode if it failed, with its source; not where a call failed."""
    if episode.ending is None or episode.ending.status == "failed":
        return ()
    found = failure(episode)
    if found is None:
        return ()
    facts = (f"Missing: {', '.join(found.missing)}.",)
    constraint = (f"Broken: {found.constraint}.",) if found.constraint else ()
    return (Case(decided=_label(found.source), facts=(*constraint, *facts)),)


def _label(source: str) -> str:
    known = {"stuck": STUCK, "revisions": REVISIONS}.get(source.partition(":")[0], source)
    return known if known in SOURCES.keys else OTHER


def violations(episode: Episode) -> Sequence[Case]:
    """The decisions that were refused for a dependency."""
    return tuple(_violations(episode))


def _violations(episode: Episode) -> Iterator[Case]:
    for entry in episode.entries:
        for refusal in entry.refusals[:1]:
            if kind_of_refusal(refusal) == DEPENDENCY:
                yield Case(at=entry.index, seat=refusal.seat or next(iter(entry.answers), ""))


ANNOTATIONS = (Annotation(SOURCES, sources), Annotation(VIOLATIONS, violations))
