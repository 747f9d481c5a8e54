"""The pages of many episodes in one folder: written by several processes, each scenario's plan found once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.running.processes import in_processes
from backburner.evaluation.transcripts.gathered import Spent, spent
from backburner.evaluation.transcripts.page import Links, write_transcript
from backburner.evaluation.transcripts.plans import Plan, Plans
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import BackburnerError, BadFile, one_line, shorten

CHUNK = 20
"""Pages handed to a process at a time."""

WORTH_A_PROCESS = 100
"""A process costs about what so many pages do."""


class PageOf(Struct, frozen=True):
    """A page to be written: of the episode in the record ``path``, to ``out``."""

    path: Path
    out: Path
    links: Links


class Told(Struct, frozen=True):
    """Of a record's page where the time of its episode went; or why it was not written, and whether that is
    because no file could be (``disk``)."""

    path: Path
    spent: Spent | None = None
    why: str = ""
    disk: bool = False


def write_transcripts(
    pages: Sequence[PageOf],
    oracles: Sequence[Path] = (),
    *,
    seconds: float = 0.0,
    workers: int | None = None,
) -> tuple[dict[Path, Spent], dict[Path, str]]:
    """Write all pages. By their records: where the time went, and of pages that could not be written why.

    ``oracles``: records of oracles, which episodes of the same scenario are held against; their pages are
    linked. ``seconds``: so long a plan is looked for where none is recorded or shipped. ``workers``: how many
    processes, by default as many as help. Raises ``BadFile`` where no file can be written.
    """
    if workers is None:
        workers = min(os.cpu_count() or 1, len(pages) // WORTH_A_PROCESS)
    in_order = sorted(pages, key=lambda page: page.path.name)  # a scenario's episodes go to one process
    chunks = [in_order[start : start + CHUNK] for start in range(0, len(in_order), CHUNK)]
    addresses = {page.path: page.out.name for page in pages if page.path in set(oracles)}
    write = partial(_write_chunk, oracles=tuple(oracles), addresses=addresses, seconds=seconds)
    spent: dict[Path, Spent] = {}
    unwritten: dict[Path, str] = {}
    for found in map(write, chunks) if workers <= 1 else in_processes(write, chunks, workers):
        for each in found:
            if each.disk:
                raise BadFile(each.path, "its page", each.why)
            if each.spent is None:
                unwritten[each.path] = each.why
            else:
                spent[each.path] = each.spent
    return spent, unwritten


def _write_chunk(
    pages: Sequence[PageOf], *, oracles: tuple[Path, ...], addresses: Mapping[Path, str], seconds: float
) -> list[Told]:
    plans = _plans(oracles, seconds)
    return [_write(page, plans, addresses) for page in pages]


def _write(page: PageOf, plans: Plans, addresses: Mapping[Path, str]) -> Told:
    try:
        episode = read_episode(page.path)
    except BadFile as error:  # since it was scored
        return Told(page.path, why=str(error))
    try:
        plan = plans.beside(page.path, episode)
        known = addresses.get(plan.path, "") if isinstance(plan, Plan) and plan.path is not None else ""
        links = replace(page.links, plan=known)
        return Told(
            page.path, spent(write_transcript(page.path, episode, page.out, links=links, plans=plans))
        )
    except BadFile as error:
        return Told(page.path, why=str(error), disk=True)
    except Exception as error:  # a record may be what no play of ours would have come to
        why = str(error) if isinstance(error, BackburnerError) else f"{type(error).__name__}: {error}"
        return Told(page.path, why=one_line(shorten(why, 300)))


@lru_cache(maxsize=2)
def _plans(oracles: tuple[Path, ...], seconds: float) -> Plans:
    """The plans that this process has found, kept from chunk to chunk."""
    recorded = []
    for path in oracles:
        try:
            recorded.append((path, read_episode(path)))
        except BadFile:
            continue
    return Plans(recorded, seconds)
