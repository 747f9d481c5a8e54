"""Thousands of episodes of one world at once, in bare arrays.

    episodes = Episodes("cuisineworld/level_3@tau=1.5", 4096, reward="potential")
    while True:
        codes = choose(episodes.features, episodes.masks)  # of shape (4096, bodies)
        episodes.step(codes)
        learn(episodes.rewards, episodes.over)

A row whose episode ends goes on with the next one by itself (``Autoreset``). The episodes of row *i* are
those of an environment that was reset with ``seed + i`` (``arrays.batch``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from os import PathLike
from types import FunctionType
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import NDArray

from backburner.arrays import rewards
from backburner.arrays.batch import FUNCTIONS, Batch, batch_of, nth_seed, pool_of, seed_of
from backburner.arrays.jit import bound, compiled
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName

# --- the loops over the rows, compiled with the functions of one world ----------------------------------

# A batch's functions (``arrays.batch``), which ``arrays.jit.bound`` puts in.
START: Any = None
STEP: Any = None
OVER: Any = None
CUT_OFF: Any = None
MASK: Any = None
FEATURES: Any = None
SCORE: Any = None
POTENTIAL: Any = None
OWN: Any = None

KINDS = {rewards.SPARSE: 0, rewards.SCORE: 1, rewards.POTENTIAL: 2}
OWN_KIND = 3


class Seen(NamedTuple):
    """What is told of all rows; see ``Episodes``. ``potentials``: those before the next step.

    ``fresh``: rows that have begun in this very call, and let the step pass.
    """

    features: NDArray[np.float32]
    masks: NDArray[np.uint8]
    final_features: NDArray[np.float32]
    final_masks: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]
    cut_off: NDArray[np.bool_]
    scores: NDArray[np.float64]
    potentials: NDArray[np.float64]
    fresh: NDArray[np.bool_]


@compiled
def nothing(tables: Any, rows: Any, e: int) -> float:
    """The own reward where none is asked for."""
    return 0.0


@compiled
def are_codes(codes: NDArray[np.int64], count: int) -> bool:
    """Whether all are from 0 to ``count`` - 1."""
    for row in range(codes.shape[0]):
        for body in range(codes.shape[1]):
            if not 0 <= codes[row, body] < count:
                return False
    return True


@compiled
def draw_seeds(
    which: NDArray[np.int64],
    row_seeds: NDArray[np.int64],
    numbers: NDArray[np.int64],
    pool: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """The seeds of the next episodes of these rows, whose numbers go up by one."""
    for e in which:
        numbers[e] += 1
        out[e] = nth_seed(row_seeds[e], numbers[e], pool)


def begin(
    t: Any,
    r: Any,
    drawn: NDArray[np.int32],
    which: NDArray[np.int64],
    kind: int,
    seen: Seen,
    first: int,
    last: int,
) -> None:
    """The rows of ``which[first:last]`` begin an episode."""
    for index in range(first, last):
        e = which[index]
        START(t, r, e, drawn[e])
        seen.potentials[e] = POTENTIAL(t, r, e) if kind == 2 else 0.0
        for body in range(seen.features.shape[1]):
            FEATURES(t, r, e, body, seen.features[e, body])
            MASK(t, r, e, body, seen.masks[e, body])


def advance(
    t: Any,
    r: Any,
    drawn: NDArray[np.int32],
    codes: NDArray[np.int64],
    kind: int,
    discount: float,
    same_step: bool,
    seen: Seen,
    first: int,
    last: int,
) -> None:
    """The rows ``first`` to ``last`` - 1 make a step, and tell what came of it."""
    for e in range(first, last):
        seen.rewards[e] = 0.0
        if seen.fresh[e] or OVER(t, r, e):
            continue
        before = SCORE(t, r, e)
        STEP(t, r, e, drawn[e], codes[e])
        score, ended = SCORE(t, r, e), OVER(t, r, e)
        reward = 0.0
        if kind == 0:
            reward = score if ended else 0.0
        elif kind == 3:
            reward = OWN(t, r, e)
        else:
            reward = score - before
            if kind == 2:
                potential = POTENTIAL(t, r, e)
                reward += discount * potential - seen.potentials[e]
                seen.potentials[e] = potential
        seen.rewards[e] = reward
        seen.scores[e] = score
        seen.over[e] = ended
        seen.cut_off[e] = ended and CUT_OFF(t, r, e)
        final = ended and same_step
        for body in range(seen.features.shape[1]):
            FEATURES(t, r, e, body, seen.final_features[e, body] if final else seen.features[e, body])
            MASK(t, r, e, body, seen.final_masks[e, body] if final else seen.masks[e, body])


class Loops(NamedTuple):
    """``begin`` and ``advance`` of one world, and the number of the reward."""

    begin: Callable[..., None]
    advance: Callable[..., None]
    kind: int


def loops_of(batch: Batch, reward: str) -> Loops:
    """The loops of a batch that pay this reward; raises ``UnknownName`` if there is none of the name, and
    ``Refused`` for ``value``, which is no matter of tables."""
    if reward == rewards.VALUE:
        raise Refused(
            "the reward 'value' asks the world's oracle about every state, and batches do not;"
            " an environment of one episode has it, and vectorization_mode='sync'"
        )
    known = {**KINDS, **dict.fromkeys(batch.own_rewards, OWN_KIND)}
    if reward not in known:
        raise UnknownName("reward", reward, known)
    # Where a world has one reward of its own, one machine code serves all rewards.
    own = batch.own_rewards.get(reward, next(iter(batch.own_rewards.values()), nothing))
    functions = (*((name.upper(), getattr(batch, name)) for name in FUNCTIONS), ("OWN", own))
    return Loops(*_bound(functions), known[reward])


@lru_cache(maxsize=64)
def _bound(functions: tuple[tuple[str, Callable[..., Any]], ...]) -> tuple[Any, Any]:
    named = dict(functions)
    return bound(cast(FunctionType, begin), named), bound(cast(FunctionType, advance), named)


Autoreset = Literal["same_step", "next_step", "disabled"]
"""What follows the end of a row's episode. ``same_step``: its next one begins at once, so that features and
masks are those of the new one; what was seen last is in ``final_features``. ``next_step``: the next call
begins it, takes no notice of the row's codes, and pays nothing. ``disabled``: nothing, until it is reset."""


# --- episodes --------------------------------------------------------------------------------------------


MOST_THREADS = 256


class Episodes:
    """Many episodes of one world, side by side.

    These arrays are made once and written in place by ``reset`` and ``step``; copy what you keep:

    - ``features``: float32 (row, body, feature); ``masks``: uint8 (row, body, code)
    - ``rewards``: float32 (row), of the last step
    - ``over``: bool (row), whether the row's episode ended in the last step; ``cut_off``: and a limit of the
      world did it. That is an end as any other: shaped rewards have charged what was left, and there is
      nothing to bootstrap from
    - ``scores``: float64 (row), after the last step, before a new episode began
    - ``potentials``: float64 (row), of the present states, where rewards are ``potential``
    - ``episode_seeds``: int64 (row), the world's seed of the row's present episode
    - ``final_features``, ``final_masks``: with ``same_step``, what was seen at the end of each row's last
      episode

    ``batch.encoding`` names codes and features; ``rows`` hold the states. ``reward`` and ``discount`` are as
    in ``arrays.rewards``; ``seeds`` is the pool that episodes are drawn from, if any; ``threads`` share the
    rows. Raises ``Refused`` if the world has no batch, ``UnknownName`` for a reward that it has not.
    """

    def __init__(
        self,
        world: World[Any, Any, Any] | str | PathLike[str],
        count: int,
        *,
        reward: str = rewards.SCORE,
        discount: float = 1.0,
        seeds: Sequence[int] | None = None,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
    ) -> None:
        if not isinstance(count, int | np.integer) or count < 1:
            raise Refused(f"a batch has at least one episode, a whole number, not {count!r}")
        rewards.check_discount(discount)
        if not 1 <= threads <= MOST_THREADS:
            raise Refused(f"threads is {threads}; it is from 1 to {MOST_THREADS}")
        if autoreset not in get_args(Autoreset):
            raise UnknownName("autoreset", autoreset, get_args(Autoreset))
        self.world = world if isinstance(world, World) else registry.world(world)
        self.batch = batch_of(self.world)
        self.count, self.autoreset, self.discount = count, autoreset, discount
        self.threads, self._reward = threads, reward
        self._set_up()
        self._pool = _of_64_bits(pool_of(seeds) or ())
        encoding = self.batch.encoding
        self.n_bodies = sum(map(len, encoding.bodies.values()))
        self.n_codes, self.n_features = len(encoding.actions), len(encoding.feature_names)
        self.rows = self.batch.rows(count)
        self.episode_seeds = np.zeros(count, np.int64)
        self._row_seeds, self._numbers = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._drawn = np.zeros((count, self.batch.draws([0]).shape[1]), np.int32)
        self._seen = self._arrays()
        self.features, self.masks = self._seen.features, self._seen.masks
        self.final_features, self.final_masks = self._seen.final_features, self._seen.final_masks
        self.rewards, self.scores = self._seen.rewards, self._seen.scores
        self.over, self.cut_off = self._seen.over, self._seen.cut_off
        self.potentials = self._seen.potentials
        self.reset(seed)

    def _set_up(self) -> None:
        self._pool_of_threads = ThreadPoolExecutor(max(1, self.threads - 1))  # this one does its part as well
        self._loops = loops_of(self.batch, self._reward)

    def __getstate__(self) -> dict[str, Any]:
        """For copies, here and in other processes: all but threads and machine code, made anew there."""
        without = ("batch", "_pool_of_threads", "_loops")
        return {name: value for name, value in self.__dict__.items() if name not in without}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.batch = batch_of(self.world)
        self._set_up()

    def _arrays(self) -> Seen:
        features = (self.count, self.n_bodies, self.n_features)
        masks = (self.count, self.n_bodies, self.n_codes)
        finals = self.count if self.autoreset == "same_step" else 0
        return Seen(
            features=np.zeros(features, np.float32),
            masks=np.zeros(masks, np.uint8),
            final_features=np.zeros((finals, *features[1:]), np.float32),
            final_masks=np.zeros((finals, *masks[1:]), np.uint8),
            rewards=np.zeros(self.count, np.float32),
            over=np.zeros(self.count, np.bool_),
            cut_off=np.zeros(self.count, np.bool_),
            scores=np.zeros(self.count, np.float64),
            potentials=np.zeros(self.count, np.float64),
            fresh=np.zeros(self.count, np.bool_),
        )

    def reset(self, seed: int | Sequence[int] | None = None, rows: NDArray[np.bool_] | None = None) -> None:
        """All rows, or those that ``rows`` says (bool), begin an episode.

        With a ``seed`` row *i* is that of ``seed + i``, or of the *i*-th of several, and counts its episodes
        from 0; without one each goes on with its next.
        """
        which = np.arange(self.count) if rows is None else np.flatnonzero(rows)
        if seed is not None:
            self._row_seeds[which] = self._seeds_from(seed)[which]
            self._numbers[which] = -1
        self._clear(which)
        self._begin(which)

    def _seeds_from(self, seed: int | Sequence[int]) -> NDArray[np.int64]:
        """A seed for each row."""
        if isinstance(seed, Sequence | np.ndarray) and np.ndim(seed):
            if len(seed) != self.count:
                raise Refused(f"{len(seed)} seeds for {self.count} rows")
            return _of_64_bits([seed_of(each) for each in seed])
        first = seed_of(seed)
        return _of_64_bits(range(first, first + self.count))

    def _clear(self, which: NDArray[np.int64]) -> None:
        """Nothing is told any more of the episodes that these rows had."""
        for told in (self.rewards, self.over, self.cut_off, self.scores):
            told[which] = 0

    def _begin(self, which: NDArray[np.int64]) -> None:
        draw_seeds(which, self._row_seeds, self._numbers, self._pool, self.episode_seeds)
        self._drawn[which] = self.batch.draws(self.episode_seeds[which].tolist())
        state = (self.batch.tables, self.rows, self._drawn, which, self._loops.kind, self._seen)
        self._shared(self._loops.begin, state, len(which))

    def _shared(self, loop: Callable[..., None], arguments: tuple[Any, ...], count: int) -> None:
        """Run a loop over so many rows, each thread over its part of them."""
        ends = [part * count // self.threads for part in range(self.threads + 1)]
        others = [
            self._pool_of_threads.submit(loop, *arguments, first, last) for first, last in pairwise(ends[1:])
        ]
        loop(*arguments, 0, ends[1])
        for other in others:
            other.result()

    def step(self, codes: Any) -> None:
        """A code for each body of each row: integers of shape (row, body), or (row) where there is one body.

        Raises ``Refused`` for other shapes and numbers, before anything has changed.
        """
        given = self._checked(codes)
        seen = self._seen
        if self.autoreset == "next_step":
            seen.fresh[:] = seen.over
            ended = np.flatnonzero(seen.over)
            self._clear(ended)
            self._begin(ended)
        loops, same_step = self._loops, self.autoreset == "same_step"
        state = (self.batch.tables, self.rows, self._drawn, given)
        how = (loops.kind, self.discount, same_step, seen)
        self._shared(loops.advance, (*state, *how), self.count)
        if same_step and seen.over.any():
            self._begin(np.flatnonzero(seen.over))

    def _checked(self, codes: Any) -> NDArray[np.int64]:
        try:
            given = np.ascontiguousarray(codes)
        except ValueError as error:  # rows of unequal length
            raise Refused(f"codes are integers of shape ({self.count}, {self.n_bodies}): {error}") from None
        wide = given.dtype.kind in "iu" and given.size == self.count * self.n_bodies
        if not wide or given.shape[:1] != (self.count,):
            told = f"integers of shape ({self.count}, {self.n_bodies}), not {given.dtype} of {given.shape}"
            raise Refused(f"codes are {told}")
        given = given.astype(np.int64, copy=False).reshape(self.count, self.n_bodies)
        if not are_codes(given, self.n_codes):
            raise Refused(f"codes are from 0 to {self.n_codes - 1}, not {given.min()} to {given.max()}")
        return given


def _of_64_bits(seeds: Sequence[int]) -> NDArray[np.int64]:
    try:
        return np.array(seeds, np.int64)
    except OverflowError:
        raise Refused("seeds of a batch have 64 bits, and one of these has more") from None
