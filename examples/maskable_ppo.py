"""MaskablePPO of sb3-contrib on a Gymnasium environment, tested on seeds that no training episode has.

    pip install torch==2.13.0 sb3-contrib==2.9.2
    python examples/maskable_ppo.py cuisineworld/level_1@seed=play,tau=1.5 --steps 50000

It steps the exact world, one state after the other: ``examples/ppo.py`` plays a hundred times as many
steps in the same time.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_util import make_vec_env

from backburner.kernel import packs
from backburner.training import register_worlds

TRAINING_SEEDS = range(10_000, 11_000)


def main() -> None:
    """Train, and print the mean score of the test episodes before and after."""
    parser = argparse.ArgumentParser(description="MaskablePPO on an environment of Gymnasium.")
    parser.add_argument("scenario", help="such as cuisineworld/level_1@seed=play,tau=1.5")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--environments", type=int, default=8)
    parser.add_argument("--reward", default="potential", help="score, sparse, potential or a world's own")
    parser.add_argument("--tests", type=int, default=20, help="test episodes, with the seeds from 0 on")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.set_num_threads(1)
    register_worlds()
    id = packs.pack(args.scenario.partition("/")[0]).environment
    options = {"scenario": args.scenario, "reward": args.reward, "discount": 0.99}
    vector = make_vec_env(
        id, n_envs=args.environments, env_kwargs={**options, "seeds": TRAINING_SEEDS}, seed=args.seed
    )
    model = MaskablePPO(
        "MultiInputPolicy", vector, n_steps=120, batch_size=240, gamma=0.99, ent_coef=0.01, seed=args.seed
    )
    for steps in (0, args.steps):
        if steps:
            model.learn(steps)
        score = test(model, gymnasium.make(id, **options), args.tests)
        point = {"steps": steps, "cpu_seconds": round(time.process_time(), 1), "score": score}
        print(json.dumps(point), flush=True)


def test(model: MaskablePPO, environment: Any, tests: int) -> float:
    """The mean score of the most probable codes."""
    total = 0.0
    for seed in range(tests):
        seen, info = environment.reset(seed=seed)
        over = False
        while not over:
            codes, _ = model.predict(seen, action_masks=get_action_masks(environment), deterministic=True)
            seen, _, terminated, truncated, info = environment.step(codes)
            over = terminated or truncated
        total += info["score"]
    return total / tests


if __name__ == "__main__":
    main()
