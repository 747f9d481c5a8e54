"""Who is compared, and which of their episodes belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from backburner.kernel.digest import digest
from backburner.kernel.episode import Episode, Header
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.scoring import Measured, grouped


class Side(Struct, frozen=True):
    """One of the two that are compared: what it goes by, and its episodes."""

    name: str
    episodes: tuple[Episode, ...]


Pair = tuple[Measured, Measured]
"""Two episodes of one scenario and seed, with what was measured of them."""


def side_of(name: str, records: Sequence[tuple[Path, Episode]], folder: Path) -> Side:
    """All records of an agent of this name, or those in a folder (a path as it stands, or in ``folder``).

    Raises ``UnknownName`` if there are none.
    """
    mine = [episode for _, episode in records if episode.header.agent == name]
    for place in () if mine else (Path(name), folder / name):
        mine = [episode for path, episode in records if path.resolve().is_relative_to(place.resolve())]
        if mine:
            break
    if not mine:
        agents = dict.fromkeys(episode.header.agent for _, episode in records)
        raise UnknownName("agent or folder of records", name, agents, str(folder))
    return Side(name, tuple(mine))


def pairs_of(rows: Sequence[Measured], one: Side, other: Side) -> list[Pair]:
    """Episodes of one scenario and seed that were played under the same conditions.

    Raises ``Refused`` if both sides played one, but never under the same; or if a side has two of one.
    """
    ours, theirs = _by_key(rows, one), _by_key(rows, other)
    found = []
    for key in sorted(ours.keys() & theirs.keys()):
        same = ours[key].keys() & theirs[key].keys()
        if not same:
            mine, yours = (next(iter(side[key].values()))[0].header for side in (ours, theirs))
            raise Refused(_mixed(mine, yours, one.name, other.name))
        found += [(key, condition) for condition in sorted(same)]
    return [(ours[key][condition], theirs[key][condition]) for key, condition in found]


def _by_key(rows: Sequence[Measured], side: Side) -> Mapping[tuple[str, int], Mapping[str, Measured]]:
    """A side's episodes by scenario and seed, then by the conditions under which they were played."""
    mine = {id(episode) for episode in side.episodes}
    found: dict[tuple[str, int], dict[str, Measured]] = {}
    for row in rows:
        if id(row[0]) in mine:
            header = row[0].header
            of_key = found.setdefault((header.id, header.seed), {})
            condition = digest([value for _, value in _conditions(header)])
            if condition in of_key:
                raise Refused(
                    f"{side.name}: several records of {header.id}, seed {header.seed}; name a folder in "
                    "which there is one of each"
                )
            of_key[condition] = row
    return found


def _conditions(header: Header) -> Iterator[tuple[str, object]]:
    """What must be the same for a difference to be one of agents."""
    yield "rules", header.rules
    yield "limits", header.limits
    yield "version of the world", header.world_version
    yield "scenario", header.scenario_digest


def _mixed(one: Header, other: Header, name: str, other_name: str) -> str:
    differing = [
        what
        for (what, mine), (_, yours) in zip(_conditions(one), _conditions(other), strict=True)
        if mine != yours
    ]
    told = f" ({one.rules_name}, {other.rules_name})" if one.rules_name != other.rules_name else ""
    return (
        f"{one.id}, seed {one.seed}: {name} and {other_name} were played with different "
        f"{' and '.join(differing)}{told}; their difference would not be one of agents"
    )


def by_scenario(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each scenario, by its id."""
    return grouped(pairs, lambda pair: pair[0][0].header.id)
