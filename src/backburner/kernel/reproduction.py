"""What it takes to make an article's tables and figures again; plain data, which a world's pack names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from backburner.kernel import packs
from backburner.kernel.errors import Refused, UnknownName


class Play(Struct, frozen=True):
    """Episodes that are played: scenarios or suites x agents x seeds under one rule set."""

    scenarios: tuple[str, ...]
    agents: tuple[str, ...]
    rules: str = "released"
    seeds: int = 1


class Reproduction(Struct, frozen=True, kw_only=True):
    """A table or figure of an article that a model or a program makes.

    ``name``: as the article numbers it, such as ``table-2``; ``shows``: what it is about. ``plays``: what is
    played for it. Where nothing is played, ``statistics``: a suite whose data set table it is; ``graphs``:
    scenarios whose task graphs it draws; ``data``: as ``module:function`` what gives (sections, figures) of
    the data set.

    Where ours is: in the score table, with the article's rows in it, if ``scores``; in the analyses with the
    titles ``sections``; in the figures of these names; in a timeline of each episode, if ``timelines``.
    ``printed``: the article's own numbers stand beside. ``differs``: what is not as in the article, for the
    reader. ``with_people``: the command that makes it of data of one's own study, as it takes people; then
    nothing is played for it here. ``missing``: why it cannot be made at all.
    """

    name: str
    shows: str
    plays: tuple[Play, ...] = ()
    statistics: str = ""
    graphs: tuple[str, ...] = ()
    data: str = ""
    scores: bool = False
    sections: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    timelines: bool = False
    printed: bool = True
    differs: str = ""
    with_people: str = ""
    missing: str = ""


def reproductions(world: str) -> Sequence[Reproduction]:
    """What can be made again of a world's article, and what cannot; nothing where the pack names nothing."""
    pack = packs.pack(world)
    found: Sequence[Reproduction] = packs.part(world, pack.reproductions) if pack.reproductions else ()
    return found


def reproduction(name: str) -> tuple[str, Reproduction]:
    """(world, what is to be made) of a name such as ``timearena/table-2`` or ``timearena/Figure 4``.

    Raises ``UnknownName``, and ``Refused`` for what cannot be made.
    """
    world, _, rest = name.partition("/")
    known = {each.name: each for each in reproductions(world)}
    wanted = re.sub(r"(?<=[a-z])[\s_-]*(?=\d)", "-", rest.strip().lower())
    if wanted not in known:
        raise UnknownName("table or figure", rest, known, world)
    found = known[wanted]
    if found.missing:
        raise Refused(f"{world}/{found.name} cannot be made: {found.missing}")
    if found.with_people:
        raise Refused(
            f"{world}/{found.name} takes people; of a study's data it is made by: {found.with_people}"
        )
    return world, found
