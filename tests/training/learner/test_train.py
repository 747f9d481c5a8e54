"""Training: the same seed gives the same weights, stopped or not; and what is learnt plays better.

PyTorch is large, so that it is not installed with the other tests; the integration ``learning`` has it.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backburner.arrays.network import read_network
from backburner.kernel.errors import BadFile, Refused
from backburner.training.learner.configuration import Configuration, Seeds, changed
from backburner.training.learner.curve import read_curve
from backburner.training.learner.rollouts import lanes_of
from backburner.training.learner.train import CHECKPOINT, CURVE, POLICY, train

torch = pytest.importorskip(
    "torch", reason="needs: pip install torch==2.13.0 (or integrations/run.py learning)"
)

from backburner.training.learner.ppo import Policy, play  # noqa: E402  # it imports torch

LEVEL = "cuisineworld/level_0@bodies=2,seed=play,tau=1.5"


def configuration(**changes: Any) -> Configuration:
    small = Configuration(
        scenarios=(LEVEL,),
        test_seeds=Seeds(0, 2),
        iterations=4,
        episodes=3,
        hidden=8,
        batch=128,
        evaluate_every=2,
        seed=5,
    )
    return changed(small, **changes)


def test_weights_say_with_what_they_were_made(tmp_path: Path) -> None:
    train(configuration(iterations=2), tmp_path)
    told = read_network(tmp_path / POLICY).header.made_with
    assert told["torch"] == torch.__version__ and told["numpy"] == np.__version__
    assert torch.backends.cpu.get_cpu_capability() in told["processor"]
    assert told["system"] and told["python"] == ".".join(map(str, sys.version_info[:3]))


class Killed(Exception):
    pass


def weights(folder: Path) -> dict[str, Any]:
    return dict(read_network(folder / POLICY).weights)


def test_the_same_seed_gives_the_same_weights_and_another_others(tmp_path: Path) -> None:
    train(configuration(), tmp_path / "one")
    train(configuration(), tmp_path / "two")
    train(configuration(seed=6), tmp_path / "three")
    one, two, three = (weights(tmp_path / name) for name in ("one", "two", "three"))
    assert all((one[name] == two[name]).all() for name in one)
    assert any((one[name] != three[name]).any() for name in one)
    told = [point.play for point in read_curve(tmp_path / "one" / CURVE)]
    assert told == [point.play for point in read_curve(tmp_path / "two" / CURVE)]
    assert [point.iteration for point in read_curve(tmp_path / "one" / CURVE)] == [0, 2, 4]


@pytest.mark.parametrize("stop", [1, 2, 3])
@pytest.mark.parametrize("changes", [{}, {"curriculum": "progress", "drawn": 1, "episodes": 6}])
def test_a_training_that_was_stopped_ends_as_one_that_was_not(
    stop: int, changes: dict[str, Any], tmp_path: Path
) -> None:
    """With a curriculum each scenario is a level; it has ten returns after two iterations in it."""

    def stops(report: Any) -> None:
        if report.iteration == stop:
            raise Killed

    if changes:
        changes = {**changes, "scenarios": (LEVEL, LEVEL.replace("1.5", "2.5"))}
    train(configuration(**changes), tmp_path / "whole")
    with pytest.raises(Killed):
        train(configuration(**changes), tmp_path / "stopped", stops)
    train(configuration(**changes), tmp_path / "stopped")
    whole, resumed = weights(tmp_path / "whole"), weights(tmp_path / "stopped")
    assert all((whole[name] == resumed[name]).all() for name in whole)
    curves = [read_curve(tmp_path / name / CURVE) for name in ("whole", "stopped")]
    assert [(p.iteration, p.steps, p.play, p.moved) for p in curves[0]] == [
        (p.iteration, p.steps, p.play, p.moved) for p in curves[1]
    ]


def test_a_training_that_is_killed_ends_as_one_that_was_not(tmp_path: Path) -> None:
    """SIGKILL at any moment, three times over."""
    train(configuration(iterations=8), tmp_path / "whole")
    file = tmp_path / "configuration.json"
    file.write_bytes((tmp_path / "whole" / "configuration.json").read_bytes())
    command = [sys.executable, "-m", "backburner", "train", str(file), "--out", str(tmp_path / "killed")]
    for kill in range(3):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        began, checkpoint = time.monotonic(), tmp_path / "killed" / CHECKPOINT
        before = checkpoint.read_bytes() if checkpoint.exists() else b""
        while time.monotonic() - began < 120 and running.poll() is None:
            if checkpoint.exists() and checkpoint.read_bytes() != before:
                break
            time.sleep(0.01 * (1 + kill))
        running.send_signal(signal.SIGKILL)
        running.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    whole, resumed = weights(tmp_path / "whole"), weights(tmp_path / "killed")
    assert all((whole[name] == resumed[name]).all() for name in whole)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"network": "list"},
        {"network": "list", "bodies": "central"},
        {"network": "list", "reward": "article", "shaping": 0.0},
        {"reward": "potential"},
        {"reward": "sparse"},
    ],
)
def test_numpy_plays_as_torch_does(changes: dict[str, Any], tmp_path: Path) -> None:
    """The scores of the file, by numpy, are those of the policy that was trained."""
    made = configuration(iterations=1, **changes)
    train(made, tmp_path / "run")
    network = read_network(tmp_path / "run" / POLICY)
    (lane,) = lanes_of((LEVEL,), made, 4)
    policy = Policy(network.header.shape, 0)
    policy.load(network.weights)
    lane.start(range(4))
    for decision in play(policy, [lane], torch.Generator().manual_seed(1))[:30]:
        seen = decision.seen
        for row in range(4):
            here = seen.row == row
            codes = seen.codes[here] if made.network == "entities" else None
            scores = network.scores(seen.context[row], codes)
            scores = scores if codes is not None else scores[seen.code[here]]
            with torch.no_grad():
                logs = policy.judge(seen)[0].numpy()[row][seen.place[here]]
            mine = scores - np.log(np.exp(scores.astype(float)).sum())
            assert np.abs(mine - logs).max() < 1e-4


def test_what_is_learnt_plays_better(tmp_path: Path) -> None:
    """Half a minute on the simplest level: from nothing to most orders in time."""
    points = train(configuration(iterations=30, episodes=24, hidden=32, batch=1024), tmp_path / "run")
    first, last = points[0].play.value, points[-1].play.value
    assert first is not None and last is not None
    assert first.value is not None and last.value is not None
    assert first.value < 0.2 and last.value > 0.5


def test_one_network_learns_several_tasks_in_a_moment(tmp_path: Path) -> None:
    """From waiting to play that is nearly as short as can be, also of a task that it never sees."""
    tasks = ("timearena/cooking1", "timearena/household6", "timearena/lab3", "timearena/household8+lab6")
    made = configuration(
        scenarios=tasks, held_out=("timearena/cooking5",), test_seeds=Seeds(0, 1), discount=1.0, hidden=16
    )
    points = train(changed(made, iterations=6, episodes=16, evaluate_every=6), tmp_path / "run")
    assert points[0].play.metric == "AS*"
    first, last, held_out = (
        figures.value.value if figures is not None and figures.value is not None else None
        for figures in (points[0].play, points[-1].play, points[-1].held_out)
    )
    assert first == 0 and last is not None and held_out is not None
    assert last > 90 and held_out > 80


def test_a_folder_of_another_configuration_is_left_alone(tmp_path: Path) -> None:
    train(configuration(iterations=1), tmp_path / "run")
    with pytest.raises(Refused, match=r"a run of another configuration \(hidden\); name another folder"):
        train(configuration(iterations=1, hidden=9), tmp_path / "run")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(Refused, match="is no folder of a training run"):
        train(configuration(), tmp_path / "full")


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    """A folder that said so refused the same command put right."""
    with pytest.raises(Refused, match="the reward 'value'"):
        train(configuration(iterations=1, reward="value"), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    train(configuration(iterations=1), tmp_path / "run")


def test_a_checkpoint_that_was_changed_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(configuration(), tmp_path / "run", _stop)
    content = bytearray((tmp_path / "run" / CHECKPOINT).read_bytes())
    content[-1] ^= 1
    (tmp_path / "run" / CHECKPOINT).write_bytes(content)
    with pytest.raises(BadFile, match="not as it was written"):
        train(configuration(), tmp_path / "run")


def _stop(report: Any) -> None:
    raise Killed


def test_the_example_learns_for_a_moment(tmp_path: Path) -> None:
    example = Path(__file__).resolve().parents[3] / "examples" / "ppo.py"
    for more in ([], ["--central"], ["--reward", "potential"]):
        command = [sys.executable, str(example), LEVEL, "--steps", "480", "--rows", "8", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        point = json.loads(done.stdout.splitlines()[-1])
        assert point["steps"] == 480
        assert point["entropy"] > 0 and point["score"] >= 0


def test_a_world_without_a_batch_is_learnt_in_its_exact_states(tmp_path: Path) -> None:
    scenarios = ("minecraft/farm/7@seed=play,tau=3.0", "minecraft/farm/9@seed=play,tau=3.0")
    small = configuration(scenarios=scenarios, iterations=2, episodes=2)
    points = train(small, tmp_path / "one")
    train(small, tmp_path / "two")
    one, two = (weights(tmp_path / name) for name in ("one", "two"))
    assert all((one[name] == two[name]).all() for name in one)
    assert [point.play.metric for point in points] == ["CoS"] * 2 and points[-1].steps > 100
