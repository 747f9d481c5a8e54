"""The environments under sb3-contrib: its checker, and MaskablePPO for some steps.

PyTorch is large, so that neither is installed with the other tests; the integration ``learning`` has both.
"""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

import backburner.training  # noqa: F401  # registers
from backburner.training import environments

pytest.importorskip(
    "sb3_contrib", reason="needs: pip install torch==2.13.0 sb3-contrib (or integrations/run.py learning)"
)

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

IN_NUMBERS = sorted(id for id, pack in environments().items() if pack.encoding)

BY_DESIGN = ".*unconventional shape|.*not in the possible render_modes"
"""Of several bodies a row each; and it asks for pictures first."""


@pytest.mark.parametrize("id", IN_NUMBERS)
def test_its_checker_finds_nothing(id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", BY_DESIGN)
        check_env(gymnasium.make(id).unwrapped)


@pytest.mark.parametrize("id", IN_NUMBERS)
@pytest.mark.filterwarnings(f"ignore:{BY_DESIGN}")
def test_maskable_ppo_learns_and_plays_by_the_masks(id: str) -> None:
    vector = make_vec_env(id, n_envs=2, env_kwargs={"reward": "potential", "discount": 0.99})
    model = MaskablePPO("MultiInputPolicy", vector, n_steps=32, batch_size=32, seed=1)
    model.learn(128)
    seen: Any = vector.reset()
    for _ in range(20):
        masks = get_action_masks(vector)
        actions, _ = model.predict(seen, action_masks=masks)
        open_codes = masks.reshape(*seen["action_mask"].shape)
        assert np.array_equal(open_codes, seen["action_mask"].astype(bool))
        chosen = np.take_along_axis(open_codes, np.asarray(actions)[..., None].astype(int), axis=-1)
        assert chosen.all()
        seen, rewards, _, _ = vector.step(actions)
        assert np.isfinite(rewards).all()
