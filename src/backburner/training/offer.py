"""What a face for language models offers: scenarios by name, and how they are played."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from backburner.arrays.batch import episode_seed
from backburner.kernel import packs, registry
from backburner.kernel.episode import Episode, write_episode
from backburner.kernel.errors import BackburnerError, Refused, UnknownName, shorten
from backburner.training.conversation import (
    Conversation,
    Setting,
    clock_of,
    players_of,
    seat_in,
    speaking,
    world_of,
)
from backburner.training.pay import check_pay, pay_of

QUICK = "quick"
"""The suite of a world that is offered where nothing is named."""

MOST_SEED = 2**63 - 1

_SCENARIOS = 1
"""The number, as that of an episode, under which a seed draws a scenario: its own it may not be."""


class Offer(Struct, frozen=True):
    """The scenarios of each suite by the suite's name, and how all of them are played.

    ``records``: the folder for records of episodes that are over, if they are to be kept.
    """

    suites: Mapping[str, Sequence[str]]
    setting: Setting = Setting()
    records: Path | None = None

    @property
    def scenarios(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys(id for ids in self.suites.values() for id in ids))

    def begin(self, scenario: str | None, seed: int) -> Conversation:
        """A conversation; in a scenario that the seed draws, if none is named. Raises ``UnknownName`` for one
        that is not offered: whoever asks may be a stranger, and nothing else is looked up or read."""
        offered = self.scenarios
        if scenario is None:
            scenario = offered[episode_seed(seed, _SCENARIOS) % len(offered)]
        if scenario not in offered:
            raise UnknownName("scenario", shorten(scenario), offered, "what is offered here")
        return Conversation(scenario, seed, self.setting)

    def keep(self, episode: Episode, name: str) -> None:
        """Write the record of an episode that is over, where records are kept."""
        if self.records is not None:
            path = f"{episode.header.id.replace('/', '-')}.seed{episode.header.seed}.{name}.jsonl"
            write_episode(episode, self.records / path)


def offer_of(names: Sequence[str], setting: Setting, records: Path | None = None) -> Offer:
    """The offer of scenarios and suites by name; without any, every quick suite that can be played so.

    Raises what ``expand`` and a conversation raise, so that what cannot be played is known before anybody
    asks for it.
    """
    if not names:
        return _usual(setting, records)
    suites = {name: tuple(registry.expand(name)) for name in names}
    for ids in suites.values():
        _try_out(ids[0], setting)
    return Offer(suites, setting, records)


def _usual(setting: Setting, records: Path | None) -> Offer:
    suites: dict[str, tuple[str, ...]] = {}
    why = "no world is installed"
    for world in packs.names():
        try:
            ids = tuple(registry.expand(f"{world}/{QUICK}"))
            _try_out(ids[0], setting)
        except BackburnerError as error:
            why = str(error)
        else:
            suites[f"{world}/{QUICK}"] = ids
    if not suites:
        raise Refused(f"no world can be played so: {why}")
    return Offer(suites, setting, records)


def _try_out(scenario: str, setting: Setting) -> None:
    """Raises what a conversation in this scenario would, without one."""
    world = world_of(scenario, setting.rules, setting.limits)
    speaking(world)
    pay_of(world, setting.reward, setting.discount)
    check_pay(setting.pay, partners=bool(setting.partners))
    clock_of(world, setting, players_of(world, seat_in(world, setting), setting))


class Numbering:
    """The seeds of the episodes of one session, by the rule that all faces share (``arrays.batch``)."""

    def __init__(self) -> None:
        self._seed, self._number = secrets.randbelow(2**31), 0

    def next(self, seed: object = None) -> int:
        """The seed of the next episode; a ``seed`` that is given begins to count anew. Raises ``Refused``."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
                raise Refused(f"seed: a whole number from 0, not {shorten(repr(seed))}")
            self._seed, self._number = seed, 0
        drawn = episode_seed(self._seed, self._number)
        self._number += 1
        return drawn
