"""Lockstep: a batch and the exact world play the same codes, and are compared after every step.

Whatever a batch says is held against the exact world: each field of each row, masks, features, score,
potential, every reward, the end of episodes and which one comes next. Codes are drawn from the masks or, in
part, from all codes, so that refusals are compared as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backburner.arrays import rewards
from backburner.arrays.batch import episode_seed
from backburner.arrays.encoding import Encoding
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError
from backburner.training.batches import Episodes

TOLERANCE = 1e-5
"""Rewards and features are of 32 bits in a batch."""


class Diverged(BackburnerError):
    """A batch and the exact world disagree; the message says in what, and after which codes."""


class Compared(Struct, frozen=True):
    """How much was compared: ``steps`` of all rows, ``episodes`` that ended; ``score`` at their ends, summed;
    how many steps had a code ``outside`` of the mask."""

    steps: int
    episodes: int
    score: float
    outside: int


def lockstep(
    world: World[Any, Any, Any] | str,
    episodes: int,
    steps: int,
    legal_share: float = 1.0,
    seed: int = 0,
    weights: Sequence[float] | None = None,
) -> Compared:
    """Compare so many rows of a batch with the exact world, for so many steps of each.

    ``legal_share``: of the codes that are drawn from the mask; the others are any. ``weights``: how much each
    code of the mask is preferred, as play by mere chance gets nowhere in many a world. Raises ``Diverged`` at
    the first difference.
    """
    bound = registry.world(world) if isinstance(world, str) else world
    match = _Match(bound, episodes, seed)
    rng = np.random.default_rng(seed)
    preferred = np.ones(match.batches[0].n_codes) if weights is None else np.array(weights)
    outside = 0
    for _ in range(steps):
        codes = drawn_codes(rng, match.batches[0].masks, legal_share, preferred)
        allowed = np.take_along_axis(match.batches[0].masks, codes[:, :, None], 2)[:, :, 0]
        outside += int((allowed == 0).any(axis=1).sum())
        match.step(codes)
    return Compared(steps * episodes, match.ended, match.score, outside)


def drawn_codes(
    rng: np.random.Generator, masks: NDArray[np.uint8], legal_share: float, weights: NDArray[np.float64]
) -> NDArray[np.int32]:
    """A code for each body of each row, by chance."""
    legal = (rng.random(masks.shape) * masks * weights).argmax(axis=2)
    arbitrary = rng.integers(0, masks.shape[2], legal.shape)
    drawn = np.where(rng.random(legal.shape) < legal_share, legal, arbitrary)
    return np.asarray(drawn, np.int32)


class _Match:
    """One batch for each reward, and the exact states of their rows."""

    def __init__(self, world: World[Any, Any, Any], count: int, seed: int) -> None:
        self.world, self.seed = world, seed
        first = Episodes(world, count, seed=seed)
        self.encoding: Encoding[Any, Any] = first.batch.encoding
        self.names = (*rewards.GENERAL, *self.encoding.own_rewards)
        if set(first.batch.own_rewards) != set(self.encoding.own_rewards):
            raise Diverged(f"{world.id}: own rewards {sorted(first.batch.own_rewards)} of the batch")
        self.batches = [Episodes(world, count, seed=seed, reward=name, discount=0.9) for name in self.names]
        self.ended, self.score, self.played = 0, 0.0, 0
        self.folds = [
            [rewards.reward_of(world, self.encoding, n, 0.9) for n in self.names] for _ in range(count)
        ]
        self.numbers = [0] * count
        self.states = [self._begin(row) for row in range(count)]
        for row in range(count):
            self._compare(row)

    def _begin(self, row: int) -> Any:
        state = self.world.start(episode_seed(self.seed + row, self.numbers[row]))
        for fold in self.folds[row]:
            fold.begin(state)
        return state

    def step(self, codes: NDArray[np.int32]) -> None:
        """Both make a step with these codes."""
        self.played += 1
        for batch in self.batches:
            batch.step(codes)
        for row, state in enumerate(self.states):
            step = self.world.step(state, self._decisions(state, codes[row].tolist()))
            self.states[row] = step.state
            over = not self.world.deciders(step.state)
            told: dict[str, tuple[Any, Any]] = {"over": (bool(self.batches[0].over[row]), over)}
            for name, batch, fold in zip(self.names, self.batches, self.folds[row], strict=True):
                told[f"reward {name}"] = (float(batch.rewards[row]), fold.add(state, step))
            told["score"] = (float(self.batches[0].scores[row]), self.encoding.score(step.state))
            if over:
                cut = self.world.outcome(step.state).status == "cut off"
                told["cut_off"] = (bool(self.batches[0].cut_off[row]), cut)
            for name, (ours, exact) in told.items():
                self._same(row, name, ours, exact, codes)
            if over:
                self._end(row, step.state, codes)
            self._compare(row, codes)

    def _decisions(self, state: Any, codes: list[int]) -> dict[str, Any]:
        decisions, first = {}, 0
        asked = self.world.deciders(state)
        for seat, bodies in self.encoding.bodies.items():
            if seat in asked:
                decisions[seat] = self.encoding.decision(state, seat, codes[first : first + len(bodies)])
            first += len(bodies)
        return decisions

    def _end(self, row: int, state: Any, codes: NDArray[np.int32]) -> None:
        """The episode of a row is over: what was seen last, and the next one."""
        self.ended += 1
        self.score += self.encoding.score(state)
        batch = self.batches[0]
        for name, ours, exact in self._seen(state, batch.final_features[row], batch.final_masks[row]):
            self._same(row, f"last {name}", ours, exact, codes)
        self.numbers[row] += 1
        self.states[row] = self._begin(row)

    def _compare(self, row: int, codes: NDArray[np.int32] | None = None) -> None:
        """Fields, masks, features, score and potential of a row as it is now."""
        batch, state = self.batches[0], self.states[row]
        compiled, rows = batch.batch, batch.rows
        for name, value in compiled.fields(state).items():
            self._same(row, name, getattr(rows, name)[row], value, codes)
        for name, ours, exact in self._seen(state, batch.features[row], batch.masks[row]):
            self._same(row, name, ours, exact, codes)
        ours = self.batches[self.names.index(rewards.POTENTIAL)].potentials[row]
        self._same(row, "potential", ours, self.encoding.potential(state), codes)

    def _seen(
        self, state: Any, features: NDArray[Any], masks: NDArray[Any]
    ) -> Iterator[tuple[str, Any, Any]]:
        """What bodies see, named: of the batch, and exactly."""
        first = 0
        asked = self.world.deciders(state)
        for seat, bodies in self.encoding.bodies.items():
            last = first + len(bodies)
            seen = np.array(self.encoding.features(state, seat), np.float32) if asked else None
            mask = np.array(self.encoding.mask(state, seat), np.uint8)
            for index, body in enumerate(bodies):
                ours = masks[first + index]
                if (wrong := np.flatnonzero(ours != mask[index])).size:
                    code = self.encoding.actions[wrong[0]]
                    yield f"mask of {body}, {code}", ours[wrong[0]], mask[index][wrong[0]]
                if seen is not None:
                    yield from self._features(body, features[first + index], seen[index])
            first = last

    def _features(self, body: str, ours: NDArray[Any], exact: NDArray[Any]) -> Iterator[tuple[str, Any, Any]]:
        wrong = np.flatnonzero(np.abs(ours - exact) > TOLERANCE)
        if wrong.size:
            name = self.encoding.feature_names[wrong[0]]
            yield f"feature of {body}, {name}", ours[wrong[0]], exact[wrong[0]]

    def _same(self, row: int, name: str, ours: Any, exact: Any, codes: NDArray[np.int32] | None) -> None:
        left, right = np.asarray(ours), np.asarray(exact)
        if np.array_equal(left, right):  # nearly always, and ten times as fast to find out
            return
        if left.shape == right.shape and np.allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE):
            return
        did = "" if codes is None else ", ".join(self.encoding.actions[code] for code in codes[row])
        raise Diverged(
            f"{self.world.id}, row {row} (seed {self.seed + row}), step {self.played} ({did}): "
            f"{name} is {left.tolist()} in the batch and {right.tolist()} in the exact world"
        )
