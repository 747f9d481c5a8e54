"""Train on lessons for some minutes of a processor core: ``python train.py FOLDER --minutes 60``.

Weights are written every minute, and gone on with if the folder has any: stop it whenever you like.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from network import Network, Shape
from torch.nn import functional

TOKENS_AT_ONCE = 2048
LONGEST = 1280
SIDE_WEIGHT = 0.2
"""What a token counts that is no answer: foreseeing what the world says teaches to look things up."""

WEIGHTS = np.array([0.0, SIDE_WEIGHT, 1.0], np.float32)
"""By what ``words`` says a token is."""

WARMING = 100
"""Steps until the rate is reached, which then falls with half a cosine to a fiftieth."""


class Lessons:
    """Tokenised lessons: all tokens in a row, where each lesson begins, what each is to learn from."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            self.tokens, self.kinds, self.starts = file["tokens"], file["kinds"], file["starts"]
        self.lengths = np.diff(self.starts).tolist()
        self.fitting = [n for n, length in enumerate(self.lengths) if length <= LONGEST]

    def batches(self, draw: random.Random) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """All lessons once, those of like length together; (tokens, weights of the loss), padded."""
        order = sorted(self.fitting, key=lambda n: self.lengths[n] + draw.randrange(-40, 41))
        groups: list[list[int]] = [[]]
        for n in order:
            widest = max(self.lengths[m] for m in (*groups[-1], n))
            if groups[-1] and widest * (len(groups[-1]) + 1) > TOKENS_AT_ONCE:
                groups.append([])
            groups[-1].append(n)
        draw.shuffle(groups)
        return map(self.padded, groups)

    def padded(self, group: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """These lessons as rows."""
        width = max(self.lengths[n] for n in group)
        tokens = np.zeros((len(group), width), np.int64)
        weights = np.zeros((len(group), width), np.float32)
        for row, n in enumerate(group):
            place = slice(self.starts[n], self.starts[n + 1])
            tokens[row, : self.lengths[n]] = self.tokens[place]
            weights[row, : self.lengths[n]] = WEIGHTS[self.kinds[place]]
        return torch.from_numpy(tokens), torch.from_numpy(weights)


def losses(network: Network, tokens: torch.Tensor, weights: torch.Tensor) -> tuple[Any, float, float]:
    """(loss, how many of the answers' tokens are foretold, of how many) of a batch."""
    with torch.autocast("cpu", torch.bfloat16):
        seen = network(tokens[:, :-1])
        wanted, weight = tokens[:, 1:].reshape(-1), weights[:, 1:].reshape(-1)
        there = weight > 0
        scores = network.scores(seen.reshape(-1, seen.shape[-1])[there]).float()
    wanted, weight = wanted[there], weight[there]
    loss = (functional.cross_entropy(scores, wanted, reduction="none") * weight).sum() / weight.sum()
    answers = weight == 1.0
    right = (scores.argmax(-1) == wanted)[answers].sum()
    return loss, right.item(), answers.sum().item()


class Training:
    """A network, its optimizers, and how far they are; ``seconds`` are those of the processor."""

    def __init__(self, folder: Path, shape: Shape, rate: float, seed: int) -> None:
        self.folder, self.rate = folder, rate
        self.seconds, self.steps, self.tokens = 0.0, 0, 0
        torch.manual_seed(seed)
        self.network = Network(shape)
        named = list(self.network.named_parameters())
        inner = [weight for name, weight in named if weight.dim() == 2 and "embd" not in name]
        others = [weight for name, weight in named if weight.dim() < 2 or "embd" in name]
        self.optimizers = [
            torch.optim.Muon(inner, lr=rate, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=rate, betas=(0.9, 0.98), weight_decay=0.0),
        ]
        (folder / "shape.json").write_bytes(msgspec.json.encode(shape))
        self.file = folder / "state.pt"
        if self.file.exists():
            self._go_on(torch.load(self.file))

    def __str__(self) -> str:
        return f"{self.seconds / 60:.1f} min, {self.steps} steps, {self.tokens / 1e6:.2f} M tokens"

    def _go_on(self, kept: dict[str, Any]) -> None:
        self.network.load_state_dict(kept["network"])
        for optimizer, state in zip(self.optimizers, kept["optimizers"], strict=True):
            optimizer.load_state_dict(state)
        self.seconds, self.steps, self.tokens = kept["seconds"], kept["steps"], kept["tokens"]

    def keep(self) -> None:
        """Write all of it; the file is whole at any time."""
        kept = {
            "network": self.network.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "seconds": self.seconds,
            "steps": self.steps,
            "tokens": self.tokens,
        }
        part = self.file.with_suffix(".part")
        torch.save(kept, part)
        part.replace(self.file)

    def step(self, tokens: torch.Tensor, weights: torch.Tensor, share: float) -> str:
        """Learn from a batch, when this share of the time is over; what it was like, in words."""
        falling = 0.02 + 0.49 * (1 + math.cos(math.pi * min(share, 1.0)))
        rate = self.rate * falling * min(1.0, (self.steps + 1) / WARMING)
        for group in (group for optimizer in self.optimizers for group in optimizer.param_groups):
            group["lr"] = rate
        loss, right, answers = losses(self.network, tokens, weights)
        self.network.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.steps, self.tokens = self.steps + 1, self.tokens + tokens.numel()
        return f"loss {loss.item():.3f}, answers {right / max(answers, 1):.3f}"

    @torch.no_grad()
    def checked(self, lessons: Lessons) -> float:
        """The share of the answers' tokens foretold in lessons that are not learnt from."""
        counts = [losses(self.network, *batch)[1:] for batch in lessons.batches(random.Random(0))]
        right, answers = (sum(column) for column in zip(*counts, strict=True))
        return right / max(answers, 1)


def main() -> None:
    """Train until the minutes are over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="of one core's time, former runs included"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--inner", type=int, default=352)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    words = len(json.loads((chosen.folder / "tokens.json").read_text(encoding="utf-8")))
    shape = Shape(words, chosen.width, chosen.layers, chosen.heads, chosen.inner)
    training = Training(chosen.folder, shape, chosen.rate, chosen.seed)
    lessons, checks = (Lessons(chosen.folder / f"{name}.npz") for name in ("lessons", "checks"))
    n_weights = sum(weight.numel() for weight in training.network.parameters())
    print(f"{n_weights} weights, {len(lessons.fitting)} lessons", flush=True)
    draw, limit = random.Random(f"{chosen.seed}/{training.steps}"), 60 * chosen.minutes
    last, told = time.process_time(), -math.inf
    while training.seconds < limit:
        for batch in lessons.batches(draw):
            how = training.step(*batch, training.seconds / limit)
            now = time.process_time()
            training.seconds, last = training.seconds + now - last, now
            over = training.seconds >= limit
            if over or training.seconds - told > 60:
                told = training.seconds
                print(f"{training}, {how}, checks {training.checked(checks):.3f}", flush=True)
                training.keep()
                last = time.process_time()
            if over:
                break


if __name__ == "__main__":
    main()
