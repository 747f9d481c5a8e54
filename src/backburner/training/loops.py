"""The loops over the rows of a batch, compiled with the functions of one world.

The names in capitals are a batch's functions (``arrays.batch``), which ``arrays.jit.bound`` puts in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from backburner.arrays import rewards
from backburner.arrays.batch import Batch
from backburner.arrays.jit import bound, compiled
from backburner.arrays.seeds import nth_seed
from backburner.kernel.errors import Refused, UnknownName

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
    """What is told of all rows; see ``batches.Episodes``. ``potentials``: those before the next step.

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
    functions = (
        ("START", batch.start),
        ("STEP", batch.step),
        ("OVER", batch.over),
        ("CUT_OFF", batch.cut_off),
        ("MASK", batch.mask),
        ("FEATURES", batch.features),
        ("SCORE", batch.score),
        ("POTENTIAL", batch.potential),
        ("OWN", own),
    )
    return Loops(*_bound(functions), known[reward])


@lru_cache(maxsize=64)
def _bound(functions: tuple[tuple[str, Callable[..., Any]], ...]) -> tuple[Any, Any]:
    named = dict(functions)
    return bound(cast(FunctionType, begin), named), bound(cast(FunctionType, advance), named)
