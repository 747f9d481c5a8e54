"""Proximal policy optimisation with masks in one file: read it, copy it, change it.

    pip install torch==2.13.0          # from PyTorch's CPU index, where yours would bring a GPU's libraries
    python examples/ppo.py cuisineworld/level_1@seed=play,tau=1.5 --steps 1000000

Many episodes of one scenario are played side by side in arrays (``backburner.training.batches``). All bodies
share one network, which is told which of them it decides for; with ``--central`` one network sees what all of
them see and decides for all at once. What is learnt is tested on seeds that no training episode has.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from backburner.training.batches import Episodes

BARRED = -1e9  # the score of a code that the world would refuse
TRAINING_SEEDS = range(10_000, 11_000)
TEST_SEEDS = range(256)


class Network(nn.Module):
    """Scores of all codes for each decision, and the value of where it is taken."""

    def __init__(self, features: int, decisions: int, codes: int, hidden: int) -> None:
        super().__init__()
        self.decisions = decisions  # that are taken from the same features: 1, or with --central one a body
        self.body = nn.Sequential(
            nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh()
        )
        self.scores = nn.Linear(hidden, decisions * codes)
        self.value = nn.Linear(hidden, 1)

    def forward(self, features: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        inner = self.body(features)
        scores = self.scores(inner).view(masks.shape).masked_fill(~masks, BARRED)
        return Categorical(logits=scores), self.value(inner)[..., 0]


def seen(episodes: Episodes, central: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Features and masks: (row, body, ...) where bodies share the network, else (row, 1, body, ...)."""
    rows, bodies = episodes.count, episodes.n_bodies
    features, masks = episodes.features.copy(), torch.from_numpy(episodes.masks.copy()).bool()
    if central:
        return torch.from_numpy(features.reshape(rows, 1, -1)), masks[:, None]
    which = np.broadcast_to(np.eye(bodies, dtype=np.float32), (rows, bodies, bodies))
    return torch.from_numpy(np.concatenate([features, which], axis=2)), masks[:, :, None]


def test(network: Network, scenario: str, central: bool) -> float:
    """The mean score of the most probable codes over the test seeds, an episode of each."""
    episodes = Episodes(scenario, len(TEST_SEEDS), seed=TEST_SEEDS.start, autoreset="disabled")
    with torch.no_grad():
        while not episodes.over.all():
            codes = network(*seen(episodes, central))[0].logits.argmax(-1)
            episodes.step(codes.reshape(episodes.count, -1).numpy())
    return float(episodes.scores.mean())


def main() -> None:
    """Train, and print a line of JSON after every tenth update."""
    parser = argparse.ArgumentParser(description="PPO with masks on a batch of episodes.")
    parser.add_argument("scenario", help="such as cuisineworld/level_1@seed=play,tau=1.5")
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps of play in all")
    parser.add_argument("--rows", type=int, default=128, help="episodes side by side")
    parser.add_argument("--horizon", type=int, default=60, help="steps of each row between updates")
    parser.add_argument("--reward", default="score", help="score, sparse, potential or a world's own")
    parser.add_argument("--central", action="store_true", help="one network decides for all bodies at once")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--trace", type=float, default=0.95, help="lambda of the advantages")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--parts", type=int, default=6, help="parts of the data, an update each, in an epoch")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    episodes = Episodes(
        args.scenario,
        args.rows,
        reward=args.reward,
        discount=args.discount,
        seeds=TRAINING_SEEDS,
        seed=args.seed,
    )
    features, masks = seen(episodes, args.central)
    network = Network(features.shape[-1], masks.shape[2], masks.shape[3], args.hidden)
    adam = torch.optim.Adam(network.parameters(), lr=args.rate, eps=1e-5)
    updates = max(1, args.steps // (args.rows * args.horizon))
    for update in range(1, updates + 1):
        data = play(network, episodes, args)
        entropy = learn(network, adam, data, args)
        if update % 10 == 0 or update == updates:
            point = {
                "steps": update * args.rows * args.horizon,
                "cpu_seconds": round(time.process_time(), 1),
                "score": test(network, args.scenario, args.central),
                "entropy": entropy,
            }
            print(json.dumps(point), flush=True)


def play(network: Network, episodes: Episodes, args: Any) -> dict[str, torch.Tensor]:
    """So many steps of every row, what was seen and decided, and how much better that was than expected."""
    moments: list[dict[str, torch.Tensor]] = []
    for _ in range(args.horizon):
        features, masks = seen(episodes, args.central)
        with torch.no_grad():
            policy, value = network(features, masks)
            codes = policy.sample()
        episodes.step(codes.reshape(episodes.count, -1).numpy())
        moments.append(
            {
                "features": features,
                "masks": masks,
                "codes": codes,
                "logs": policy.log_prob(codes).sum(-1),
                "values": value,
                "rewards": torch.from_numpy(episodes.rewards.copy())[:, None].expand_as(value),
                "on": 1 - torch.from_numpy(episodes.over.copy()).float()[:, None],
            }
        )
    with torch.no_grad():
        after = network(*seen(episodes, args.central))[1]
    gain = torch.zeros_like(after)
    for moment in reversed(moments):  # generalised advantage estimation; nothing comes of an episode's end
        surprise = moment["rewards"] + args.discount * moment["on"] * after - moment["values"]
        gain = surprise + args.discount * args.trace * moment["on"] * gain
        after = moment["values"]
        moment["gains"], moment["targets"] = gain, gain + after
    return {
        name: torch.stack([moment[name] for moment in moments]).flatten(0, 2)
        for name in ("features", "masks", "codes", "logs", "gains", "targets")
    }


def learn(network: Network, adam: torch.optim.Optimizer, data: dict[str, torch.Tensor], args: Any) -> float:
    """Several epochs over the data; gives the mean entropy of the last part."""
    gains = (data["gains"] - data["gains"].mean()) / (data["gains"].std() + 1e-8)
    entropy = torch.zeros(())
    for _ in range(args.epochs):
        for part in torch.randperm(len(gains)).chunk(args.parts):
            policy, value = network(data["features"][part], data["masks"][part])
            ratio = (policy.log_prob(data["codes"][part]).sum(-1) - data["logs"][part]).exp()
            gain, entropy = gains[part], policy.entropy().mean()
            better = torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
            missed = (value - data["targets"][part]).square().mean()
            adam.zero_grad()
            (-better + 0.5 * missed - args.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()
    return float(entropy.detach())


if __name__ == "__main__":
    main()
