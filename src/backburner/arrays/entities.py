"""Entities: what a policy sees that scores codes one by one, so that it plays scenarios of any size.

An encoding has a fixed list of codes and features that differ from scenario to scenario. Here every code of a
body is a vector of its own (what is done, to what, what that is needed for), and so is the *context*, what
the body sees beside. Both have the same numbers in all scenarios of a world, so that one network
plays them all.

Bodies decide one after the other within a step: whoever decides later sees the kitchen as it will be when the
codes chosen before have been carried out.

Entities are a part of a world's pack (``Pack.entities``): a function of a world that gives its ``Entities``,
and raises ``Refused`` as its batch does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from backburner.arrays.batch import Batch
from backburner.arrays.network import reading_digest
from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused

UNDECIDED = -1
"""The code of a body that has not chosen yet."""


class Entities(Struct, frozen=True):
    """The entities of one world, over the rows of its batch.

    - ``context_names``, ``code_names``: what the numbers of a context and of a code tell
    - ``tables``: what ``look`` knows of the scenario beside the batch's tables
    - ``look(batch_tables, tables, rows, e, body, chosen, mask, context, codes) -> float``: writes what a body
      sees when ``chosen`` has the codes of bodies that have decided, and ``UNDECIDED`` for all others.
      ``mask`` gets 1 or 0 for each code, ``context`` the context, ``codes`` a row for each code
      that is allowed (others keep what they hold). Returns a potential for shaping, such as how far play has
      got with what is open. The row is left as it was. Compiled, as the functions of a batch are
    - ``measures(rows, e)``: of an episode that is over, what ``metric`` is computed from
    - ``metric``: the key of the world's metric that curves show
    """

    batch: Batch
    context_names: tuple[str, ...]
    code_names: tuple[str, ...]
    tables: Any
    look: Callable[..., float]
    measures: Callable[[Any, int], Mapping[str, float]]
    metric: str

    @property
    def reads(self) -> str:
        """The digest of all names; a network plays with the entities it was trained on, and no others."""
        return reading_digest(self.context_names, self.code_names)


def entities_of(world: World[Any, Any, Any]) -> Entities:
    """The entities of a world; raises ``Refused`` if its pack has none or its batch does not cover it."""
    pack = packs.pack_of(world)
    if not pack.entities:
        raise Refused(f"{world.id}: this world has no entities; network=list learns each scenario by itself")
    make: Callable[[Any], Entities] = packs.part(pack.name, pack.entities)
    return make(world)
