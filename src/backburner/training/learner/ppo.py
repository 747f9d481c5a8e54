"""Proximal policy optimisation with masks (Schulman et al. 2017), in torch on one thread.

This module imports torch; ``train`` imports it when training begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from backburner.arrays.network import Numbers, Shape
from backburner.training.learner.configuration import Configuration
from backburner.training.learner.rollouts import AnyLane, Decision, Seen, advantages, joined

BARRED = -1e9
"""The score of what is no code."""

LARGEST_STEP = 0.5
"""To so long a vector gradients are cut."""

LEAST_RATE = 0.1
"""The share of the rate, and of the entropy's weight, that is left at the end."""


class Policy:
    """A network in torch: its weights, by the names that ``Shape`` gives them."""

    def __init__(self, shape: Shape, seed: int) -> None:
        self.shape = shape
        generator = torch.Generator().manual_seed(seed)
        self.weights: dict[str, Any] = {}
        for name, size in shape.arrays.items():
            weight = torch.zeros(size)
            if len(size) == 2 and name not in ("scores.weight", "value.2.weight"):
                # As torch's own layers begin: within one over the square root of the inputs.
                weight.uniform_(-(size[1] ** -0.5), size[1] ** -0.5, generator=generator)
            self.weights[name] = weight.requires_grad_()

    def judge(self, seen: Seen) -> tuple[Any, Any]:
        """The logarithm of the probability of each allowed code, (row, place), and each row's value."""
        context = torch.from_numpy(seen.context)
        row, place = torch.from_numpy(seen.row), torch.from_numpy(seen.place)
        inner = torch.tanh(self._layer("context.2", torch.tanh(self._layer("context.1", context))))
        if self.shape.kind == "list":
            scores = self._layer("scores", inner)[row, torch.from_numpy(seen.code)]
            valued = inner
        else:
            first = torch.relu(
                self._layer("code.1", torch.from_numpy(seen.codes)) + self._layer("code.context", inner)[row]
            )
            scores = self._layer("scores", torch.relu(self._layer("code.2", first)))[:, 0]
            number = torch.bincount(row, minlength=len(context)).clamp(min=1)[:, None]
            mean = torch.zeros(len(context), self.shape.hidden).index_add(0, row, first) / number
            valued = torch.cat([inner, mean], dim=1)
        table = torch.full((len(context), int(seen.place.max()) + 1), BARRED)
        table = table.index_put((row, place), scores)
        value = self._layer("value.2", torch.relu(self._layer("value.1", valued)))[:, 0]
        return torch.log_softmax(table, dim=1), value

    def _layer(self, name: str, values: Any) -> Any:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return torch.nn.functional.linear(values, weight, bias)

    def arrays(self) -> dict[str, Numbers]:
        """The weights, copied."""
        return {name: weight.detach().numpy().copy() for name, weight in self.weights.items()}

    def load(self, arrays: Mapping[str, Numbers]) -> None:
        """These weights from now on."""
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(torch.from_numpy(arrays[name]))


def play(policy: Policy, lanes: Sequence[AnyLane], generator: Any) -> list[Decision]:
    """Every lane to the end of its episodes, codes drawn; with no generator the most probable ones."""
    decisions: list[Decision] = []
    with torch.no_grad():
        while any(lane.live.any() for lane in lanes):
            ends: dict[int, tuple[Decision, int]] = {}
            for body in range(max(lane.bodies for lane in lanes)):
                there = tuple(i for i, lane in enumerate(lanes) if body < lane.bodies and lane.live.any())
                if not there:
                    continue
                decision = _decide(policy, lanes, there, body, generator)
                decisions.append(decision)
                begin = 0
                for i in there:
                    if body == lanes[i].bodies - 1:
                        ends[i] = decision, begin
                    begin += lanes[i].count
            for i, (decision, begin) in ends.items():
                decision.rewards[begin : begin + lanes[i].count] = lanes[i].step()
    return decisions


def _decide(
    policy: Policy, lanes: Sequence[AnyLane], there: tuple[int, ...], body: int, generator: Any
) -> Decision:
    seen = joined([lanes[i].look(body) for i in there])
    logs, value = policy.judge(seen)
    best = (
        logs.argmax(dim=1)
        if generator is None
        else torch.multinomial(logs.exp(), 1, generator=generator)[:, 0]
    )
    picked = best.numpy()
    rows = len(picked)
    outputs = np.zeros(logs.shape, np.int64)
    outputs[seen.row, seen.place] = seen.code
    chosen = outputs[np.arange(rows), picked]
    begin = 0
    for i in there:
        lanes[i].choose(body, chosen[begin : begin + lanes[i].count])
        begin += lanes[i].count
    log = logs.numpy()[np.arange(rows), picked]
    return Decision(body, there, seen, picked, log, value.numpy().copy(), np.zeros(rows, np.float32))


# --- learning ------------------------------------------------------------------------------------------


class Learner:
    """The policy with its optimiser."""

    def __init__(self, policy: Policy, configuration: Configuration) -> None:
        self.policy = policy
        self.configuration = configuration
        self.adam = torch.optim.Adam(policy.weights.values(), lr=configuration.rate, eps=1e-5)

    def learn(
        self,
        decisions: Sequence[Decision],
        lanes: Sequence[AnyLane],
        iteration: int,
        order: np.random.Generator,
    ) -> Mapping[str, float]:
        """Learn from what was played; gives the mean entropy, and how far the policy has moved."""
        left = max(LEAST_RATE, 1 - iteration / self.configuration.iterations)
        for group in self.adam.param_groups:
            group["lr"] = self.configuration.rate * left
        gains, returns = advantages(decisions, lanes, self.configuration)
        live = np.concatenate([decision.seen.live for decision in decisions])
        all_gains = np.concatenate(gains)[live]
        middle, spread = float(all_gains.mean()), float(all_gains.std()) + 1e-8
        notes: list[tuple[float, float]] = []
        for _ in range(self.configuration.epochs):
            for part in self._parts(decisions, order):
                seen = joined([decisions[i].seen for i in part])
                gain = ((np.concatenate([gains[i] for i in part]) - middle) / spread).astype(np.float32)
                target = np.concatenate([returns[i] for i in part])
                picked = np.concatenate([decisions[i].picked for i in part])
                log = np.concatenate([decisions[i].log for i in part])
                if seen.live.any():
                    notes.append(self._update(seen, picked, log, gain, target, left))
        entropy, moved = np.mean(notes, axis=0)
        return {"entropy": float(entropy), "moved": float(moved)}

    def _parts(self, decisions: Sequence[Decision], order: np.random.Generator) -> list[list[int]]:
        """All decisions in random order, in parts of as many rows as a batch has."""
        parts: list[list[int]] = [[]]
        rows = 0
        for i in order.permutation(len(decisions)).tolist():
            if rows >= self.configuration.batch:
                parts.append([])
                rows = 0
            parts[-1].append(i)
            rows += len(decisions[i].value)
        return parts

    def _update(
        self,
        seen: Seen,
        picked: NDArray[np.int64],
        log: NDArray[np.float32],
        gain: NDArray[np.float32],
        target: NDArray[np.float32],
        left: float,
    ) -> tuple[float, float]:
        logs, value = self.policy.judge(seen)
        live = torch.from_numpy(seen.live)
        now = logs.gather(1, torch.from_numpy(picked)[:, None])[:, 0]
        before, wanted = torch.from_numpy(log), torch.from_numpy(gain)
        ratio = (now - before).exp()
        clip = self.configuration.clip
        better = torch.min(ratio * wanted, ratio.clamp(1 - clip, 1 + clip) * wanted)[live].mean()
        entropy = -(logs.exp() * logs.clamp(min=-50)).sum(dim=1)[live].mean()
        missed = (value - torch.from_numpy(target))[live].square().mean()
        loss = -better + 0.5 * missed - self.configuration.entropy * left * entropy
        self.adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.weights.values(), LARGEST_STEP)
        self.adam.step()
        return float(entropy.detach()), float((before - now.detach())[live].mean())

    def arrays(self) -> dict[str, Numbers]:
        """The weights, and Adam's running means of each."""
        arrays = self.policy.arrays()
        for name, weight in self.policy.weights.items():
            state = self.adam.state[weight]
            for mean in ("exp_avg", "exp_avg_sq"):
                arrays[f"adam.{mean}.{name}"] = state[mean].numpy().copy()
        return arrays

    def updates(self) -> int:
        """How often Adam has made a step."""
        return int(next(iter(self.adam.state.values()))["step"])

    def load(self, arrays: Mapping[str, Numbers], updates: int) -> None:
        """Go on from these arrays."""
        self.policy.load(arrays)
        for name, weight in self.policy.weights.items():
            self.adam.state[weight] = {
                "step": torch.tensor(float(updates)),
                "exp_avg": torch.from_numpy(arrays[f"adam.exp_avg.{name}"].copy()),
                "exp_avg_sq": torch.from_numpy(arrays[f"adam.exp_avg_sq.{name}"].copy()),
            }
