"""A training run in a folder: started, stopped at any moment, and gone on with.

The folder has ``configuration.json``, ``curve.jsonl``, ``policy.safetensors`` (the network as last
evaluated), ``policies/`` (as at each evaluation) and ``checkpoint.safetensors``, from which a run that was
stopped goes on: every iteration draws its own random numbers from the seed and its number, so that it ends
with the very same weights as one that nobody stopped, by the same versions on the same machine.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET

from backburner.arrays.batch import episode_seed
from backburner.arrays.network import Header, Network, digest_of, read_arrays, write_arrays, write_network
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import read_json, write_whole
from backburner.training.curriculum import Curriculum, curriculum_of
from backburner.training.learner.configuration import Configuration, expanded
from backburner.training.learner.curve import (
    CurvePoint,
    Figures,
    figures,
    read_curve,
    returns_of,
    write_curve,
)
from backburner.training.learner.rollouts import AnyLane, lanes_of

if TYPE_CHECKING:
    from backburner.training.learner.ppo import Learner

TORCH = "torch==2.13.0"
CHECKPOINT_FORMAT = "backburner training 1"
CONFIGURATION, CURVE = "configuration.json", "curve.jsonl"
POLICY, POLICIES, CHECKPOINT = "policy.safetensors", "policies", "checkpoint.safetensors"


class _Progress(msgspec.Struct, frozen=True):
    """How far a run has come, as its checkpoint tells."""

    iterations: int = 0
    steps: int = 0
    cpu_seconds: float = 0.0
    updates: int = 0


class Report(NamedTuple):
    """What is told after an iteration: its number from 1, of how many, and the point if it was evaluated."""

    iteration: int
    of: int
    point: CurvePoint | None


def require_torch() -> None:
    """Raises ``Refused`` with the command that installs torch where it is missing."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise Refused(
            f"training needs torch, which no extra brings: {sys.executable} -m pip install {TORCH}"
        ) from error


def train(
    configuration: Configuration, folder: Path, tell: Callable[[Report], None] = lambda report: None
) -> list[CurvePoint]:
    """Train in the folder, or go on where training there was stopped; gives the curve.

    Raises ``Refused`` where torch is missing, the folder has a run of another configuration, or scenarios
    cannot be played by one network; ``BadFile`` for a checkpoint that cannot be read.
    """
    require_torch()
    import torch

    torch.set_num_threads(1)
    _check_folder(configuration, folder)
    run = _Run(configuration, folder)
    text = msgspec.json.format(msgspec.json.encode(configuration), indent=2)
    write_whole(folder / CONFIGURATION, text + b"\n")  # now that nothing can be refused any more
    return run.go(tell)


def _check_folder(configuration: Configuration, folder: Path) -> None:
    """Raises ``Refused`` for a folder that is neither empty nor has a run of the same configuration."""
    file = folder / CONFIGURATION
    mine = msgspec.json.decode(msgspec.json.encode(configuration))
    if file.exists():
        there = read_json(file)
        if there != mine:
            changed = [key for key in mine if not isinstance(there, dict) or there.get(key) != mine[key]]
            raise Refused(
                f"{file}: a run of another configuration ({', '.join(changed)}); name another folder"
            )
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder}: is no folder of a training run; name a new one")


def made_with() -> dict[str, str]:
    """What else than the configuration decides the weights: versions, the processor and what torch makes use
    of in it, the system."""
    import torch

    packages = {name: metadata.version(name) for name in ("torch", "numpy", "numba") if find_spec(name)}
    processor = f"{_processor()}, {torch.backends.cpu.get_cpu_capability()}"
    system = f"{platform.system()} {platform.machine()}"
    return {**packages, "python": platform.python_version(), "processor": processor, "system": system}


def _processor() -> str:
    """The processor's name, as Linux tells it; elsewhere as Python does."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _is_due(configuration: Configuration, iteration: int) -> bool:
    """Whether the network is evaluated after so many iterations."""
    regular = iteration % configuration.evaluate_every == 0
    return regular or iteration in configuration.also_at or iteration == configuration.iterations


class _Run:
    """A run with everything that it holds in memory."""

    def __init__(self, configuration: Configuration, folder: Path) -> None:
        from backburner.training.learner.ppo import Learner, Policy

        self.configuration, self.folder = configuration, folder
        ids, held_out = expanded(configuration.scenarios), expanded(configuration.held_out)
        tests = configuration.test_seeds.count
        self.lanes = lanes_of(ids, configuration, configuration.episodes)
        self.tests = lanes_of(ids, configuration, tests)
        self.held_out = lanes_of(held_out, configuration, tests) if held_out else []
        self.shape, self.reads = self.lanes[0].shape(configuration.hidden)
        if self.held_out and self.held_out[0].shape(configuration.hidden) != (self.shape, self.reads):
            raise Refused(
                f"{held_out[0]}: has other codes or features than the scenarios that are trained on"
            )
        self.learner: Learner = Learner(Policy(self.shape, configuration.seed), configuration)
        self.by_id = dict(zip(ids, self.lanes, strict=True))
        self.curriculum: Curriculum | None = None
        if configuration.curriculum is not UNSET:
            self.curriculum = curriculum_of(configuration.scenarios, configuration.curriculum)
        self.done = self._resumed()
        self.points = self._points()

    def go(self, tell: Callable[[Report], None]) -> list[CurvePoint]:
        """From where it was to the end."""
        configuration = self.configuration
        if not self.points:
            self._evaluate({})
        for iteration in range(self.done.iterations, configuration.iterations):
            began = time.process_time()
            notes = self._iterate(iteration)
            seconds = self.done.cpu_seconds + time.process_time() - began
            self.done = _Progress(
                iteration + 1, self.done.steps + self.played, seconds, self.learner.updates()
            )
            due = _is_due(configuration, iteration + 1)
            point = self._evaluate(notes) if due else None
            self._keep()
            tell(Report(iteration + 1, configuration.iterations, point))
        return self.points

    def _iterate(self, iteration: int) -> dict[str, float]:
        """Play an episode on every row, and learn from it."""
        import torch

        from backburner.training.learner.ppo import play

        seed = self.configuration.seed
        generator = torch.Generator().manual_seed(episode_seed(seed, 2 * iteration + 1))
        order = np.random.default_rng(episode_seed(seed, 2 * iteration + 2))
        pool = self.configuration.seeds.all
        levels, lanes = self._drawn(iteration, order)
        for number, lane in enumerate(lanes):
            drawn = episode_seed(episode_seed(seed, iteration + 1), number + 1)
            lane.start([episode_seed(drawn, e, pool) for e in range(lane.count)])
        decisions = play(self.learner.policy, lanes, generator)
        self.played = sum(int(d.seen.live.sum()) for d in decisions if d.body == 0)
        if self.curriculum is not None:
            for level, lane in zip(levels, lanes, strict=True):
                for value in returns_of(lane):
                    self.curriculum = self.curriculum.told(level, value)
        return dict(self.learner.learn(decisions, lanes, iteration, order))

    def _drawn(self, iteration: int, order: np.random.Generator) -> tuple[list[int], list[AnyLane]]:
        """The lanes of an iteration, with the numbers of their levels: those that the curriculum draws, each
        once, or in any order as many as are asked for."""
        seed, drawn = self.configuration.seed, self.configuration.drawn
        if self.curriculum is None:
            lanes = [self.lanes[i] for i in order.permutation(len(self.lanes))[: drawn or None]]
            return [0] * len(lanes), lanes
        tasks = [self.curriculum.draw(seed, iteration * drawn + i) for i in range(drawn)]
        levels = {task.scenario: task.level for task in tasks}
        return list(levels.values()), [self.by_id[id] for id in levels]

    def _evaluate(self, notes: dict[str, float]) -> CurvePoint:
        """A point more on the curve, and the network as it is in files of its own."""
        done = self.done
        held_out = self._figures(self.held_out) if self.held_out else None
        point = CurvePoint(
            done.iterations, done.steps, done.cpu_seconds, self._figures(self.tests), held_out, **notes
        )
        self.points.append(point)
        network = self.network()
        write_network(self.folder / POLICIES / f"{done.iterations:06}.safetensors", network)
        write_network(self.folder / POLICY, network)
        write_curve(self.folder / CURVE, self.points)
        return point

    def _figures(self, lanes: list[AnyLane]) -> Figures:
        from backburner.training.learner.ppo import play

        for lane in lanes:
            lane.start(self.configuration.test_seeds.all)
        return figures(lanes, lambda lanes: play(self.learner.policy, lanes, None))

    def network(self) -> Network:
        """The network as it is now, for play without torch."""
        world = self.lanes[0].world.id.partition("/")[0]
        said = msgspec.json.encode(self.configuration).decode()
        header = Header(self.shape, world, self.reads, self.done.steps, said, made_with())
        return Network(header, self.learner.policy.arrays())

    # --- checkpoints -----------------------------------------------------------------------------------

    def _keep(self) -> None:
        arrays = self.learner.arrays()
        about = {
            "format": CHECKPOINT_FORMAT,
            "done": msgspec.json.encode(self.done).decode(),
            "digest": digest_of(arrays),
        }
        if self.curriculum is not None:
            about["curriculum"] = msgspec.json.encode(self.curriculum).decode()
        write_arrays(self.folder / CHECKPOINT, arrays, about)

    def _resumed(self) -> _Progress:
        """What the checkpoint says, loaded; nothing where there is none."""
        file = self.folder / CHECKPOINT
        if not file.exists():
            return _Progress()
        arrays, about = read_arrays(file)
        if about.get("format") != CHECKPOINT_FORMAT or about.get("digest") != digest_of(arrays):
            raise BadFile(file, "", "no checkpoint of a training run, or not as it was written")
        shapes = self.shape.arrays
        for name, shape in shapes.items():
            for key in (name, f"adam.exp_avg.{name}", f"adam.exp_avg_sq.{name}"):
                if key not in arrays or arrays[key].shape != shape:
                    raise BadFile(file, key, "is missing, or has another shape than this network's")
        try:
            done = msgspec.json.decode(about.get("done", ""), type=_Progress)
            if self.curriculum is not None:
                self.curriculum = msgspec.json.decode(about.get("curriculum", ""), type=Curriculum)
        except ValueError as error:
            raise BadFile(file, "done", str(error)) from error
        self.learner.load(arrays, done.updates)
        return done

    def _points(self) -> list[CurvePoint]:
        """The curve so far, without what was written after the checkpoint."""
        file = self.folder / CURVE
        points = read_curve(file) if file.exists() else []
        return [point for point in points if point.iteration <= self.done.iterations]
