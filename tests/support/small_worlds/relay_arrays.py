"""The relay of two seats in numbers, and a pack that announces it, for testing faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from backburner.arrays.encoding import Encoding, Reward
from backburner.kernel.values import Refusal, Seat, Step
from support.packages import distribution, on_the_path
from support.small_worlds.relay import READER, RUNNER, Nod, Oil, Press, Relay, Rest, Say, State

PACK = """
from backburner.kernel.pack import Pack
PACK = Pack(
    name="relay",
    title="The relay (tests)",
    version=7,
    catalogue="support.small_worlds.relay_catalogue:catalogue",
    encoding="support.small_worlds.relay_arrays:RelayEncoding",
)
"""

ENVIRONMENT = "backburner/relay-v7"


@contextmanager
def installed(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """The relay is a world of another package, and Gymnasium knows its environment."""
    from gymnasium.envs.registration import registry

    from backburner.training import register_worlds

    distribution(folder, "relay_world", {"relay": "relay_pack:PACK"}, relay_pack=PACK)
    before = dict(registry)
    with on_the_path(folder, patch):
        register_worlds()
        yield
    registry.clear()
    registry.update(before)


class Pressed(Reward[State]):
    """A tenth for each button that was pressed: a shaped reward that is told from events."""

    def begin(self, state: State) -> None:
        """Nothing is kept of it."""

    def add(self, before: State, step: Step[Any]) -> float:
        ended = [event for event in step.events if event.what == "end" and event.label.startswith("press")]
        return len(ended) / 10


class RelayEncoding(Encoding[State, Any]):
    """Code 0 rests, or shakes the head where an answer is due; then oil, press and say each colour."""

    def __init__(self, world: Relay) -> None:
        self.world = world
        self.colours = world.scenario.buttons

    @property
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        return {READER: (READER,), RUNNER: (RUNNER,)}

    @property
    def actions(self) -> tuple[str, ...]:
        said = [f"say {colour}" for colour in self.colours]
        return ("rest", "oil", *(f"press {colour}" for colour in self.colours), *said, "nod")

    def decision(self, state: State, seat: Seat, codes: Sequence[int]) -> Any | Refusal:
        return self._decisions(state, seat)[codes[0]]

    def _decisions(self, state: State, seat: Seat) -> list[Any]:
        first = Nod(False) if state.asking and seat == RUNNER else Rest()
        return [first, Oil(), *map(Press, self.colours), *map(Say, self.colours), Nod(True)]

    def mask(self, state: State, seat: Seat) -> Sequence[Sequence[bool]]:
        if seat not in self.world.deciders(state):
            return [[code == 0 for code in range(len(self.actions))]]
        return [[self.world.obstacle(state, seat, each) is None for each in self._decisions(state, seat)]]

    @property
    def feature_names(self) -> tuple[str, ...]:
        return ("left", "oiled", "asked", *(f"{n} {c}" for n in (0, 1) for c in self.colours))

    def features(self, state: State, seat: Seat) -> Sequence[Sequence[float]]:
        seen = self.world.observe(state, seat)
        known = [float(len(seen.known) > n and seen.known[n] == c) for n in (0, 1) for c in self.colours]
        return [
            [1 - state.time / 100, float(seat == READER and state.oiled), float(seen.must_answer), *known]
        ]

    def score(self, state: State) -> float:
        return float(state.ended == "open") + state.oiled / 2

    def potential(self, state: State) -> float:
        return 0.0 if state.ended else 1.5 - self.score(state)

    @property
    def own_rewards(self) -> Mapping[str, Callable[[], Reward[Any]]]:
        return {"pressed": Pressed}
