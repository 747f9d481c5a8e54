"""An exact world and its batch, played side by side with the same codes."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from backburner.arrays.batch import Batch


def play_side_by_side(world: Any, batch: Batch, random: Random, legal_share: float) -> int:
    """One episode to its end in row 1 of 3; everything is compared at each step. Returns the steps."""
    (seat,) = world.seats
    encoding, tables, rows, drawn = batch.encoding, batch.tables, batch.rows(3), batch.draws([0])
    mask, features = np.zeros(len(encoding.actions), np.uint8), np.zeros(len(encoding.feature_names), "f4")
    untouched = [array[[0, 2]].copy() for array in rows]
    state, steps = world.start(), 0
    batch.start(tables, rows, 1, drawn[0])
    while True:
        for name, value in batch.fields(state).items():
            assert np.array_equal(getattr(rows, name)[1], value), (world.id, steps, name)
        batch.mask(tables, rows, 1, 0, mask)
        assert mask.tolist() == [int(ok) for ok in encoding.mask(state, seat)[0]], (world.id, steps)
        batch.features(tables, rows, 1, 0, features)
        exact = np.array(encoding.features(state, seat)[0], np.float32)
        assert np.array_equal(features, exact), (world.id, steps)
        assert batch.score(tables, rows, 1) == encoding.score(state)
        assert batch.potential(tables, rows, 1) == encoding.potential(state)
        assert batch.over(tables, rows, 1) == (not world.deciders(state))
        if not world.deciders(state):
            break
        legal = [code for code, ok in enumerate(mask) if ok]
        code = random.choice(legal) if random.random() < legal_share else random.randrange(len(mask))
        state = world.step(state, {seat: encoding.decision(state, seat, [code])}).state
        batch.step(tables, rows, 1, drawn[0], np.array([code]))
        steps += 1
    assert batch.cut_off(tables, rows, 1) == (world.outcome(state).status == "cut off")
    before = [array[1].copy() for array in rows]
    batch.step(tables, rows, 1, drawn[0], np.array([0]))
    assert all(np.array_equal(array[1], was) for array, was in zip(rows, before, strict=True))
    others = zip(rows, untouched, strict=True)
    assert all(np.array_equal(array[[0, 2]], was) for array, was in others)
    return steps
