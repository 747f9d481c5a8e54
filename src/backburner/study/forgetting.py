"""Removing participants' data while nobody serves the study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backburner.kernel.errors import Refused, UnknownName
from backburner.serve.store import STORE, Store, remove_files
from backburner.study.conduct import forget
from backburner.study.design import Study
from backburner.study.journal import Journal
from backburner.study.participants import cohort_of


def forget_all(
    folder: Path, study: Study, participants: Sequence[str], *, expired: bool, now: float
) -> dict[str, list[str]]:
    """Remove participants by their names (in the tables, or as a recruiting platform calls them), and with
    ``expired`` all whose time is up; each with the games whose records went too.

    Raises ``UnknownName`` before anybody is removed, ``Refused`` where a server has the folder.
    """
    if not (folder / "journal.jsonl").exists():
        raise Refused(f"{folder}: no data of a study")
    journal = Journal(folder, write=True)
    try:
        cohort = cohort_of(journal.entries(), journal.forgotten)
        chosen = {}
        for name in participants:
            one = cohort.people.get(name) or cohort.by_recruited(name)
            if one is None:
                if name in cohort.forgotten:
                    continue
                raise UnknownName("participant", name, sorted(cohort.people))
            chosen[one.id] = (one, "asked")
        if expired:
            for one in cohort.expired(study, now):
                chosen.setdefault(one.id, (one, "expired"))
        gone = {id: forget(journal, one, reason, now) for id, (one, reason) in chosen.items()}
        _remove_games(folder, [game for games in gone.values() for game in games])
        return gone
    finally:
        journal.close()


def _remove_games(folder: Path, games: Sequence[str]) -> None:
    """Remove games from what the server keeps of them."""
    if not (folder / STORE).exists():
        return
    store = Store(folder / STORE)
    try:
        for game in games:
            store.remove(game)
            remove_files(folder, game)
    finally:
        store.close()
