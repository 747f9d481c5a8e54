"""What a training run is: everything that its result depends on, as a JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import read_json
from backburner.training.curriculum import Order


class Seeds(Struct, frozen=True, forbid_unknown_fields=True):
    """World seeds from ``first`` on, ``count`` of them."""

    first: int
    count: int

    @property
    def all(self) -> range:
        """The seeds."""
        return range(self.first, self.first + self.count)


class Configuration(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A training run.

    What is learnt:

    - ``scenarios``: ids or suites to train on; ``held_out``: further ones that are only evaluated
    - ``rules``: the rule set; ``seeds`` that training draws from and ``test_seeds`` of evaluations, none
      shared
    - ``network``: ``entities`` plays all scenarios of a world, ``list`` those with one list of codes
    - ``bodies``, of list networks: ``shared`` decides for each body by what that body sees; ``central`` by
      what all of them see and by what those before have chosen
    - ``hidden``: units of each hidden layer
    - ``reward``: as ``arrays.rewards`` names them; ``shaping``: how much the potential of entities counts
      beside it (policies that are optimal stay so)

    How (PPO, Schulman et al. 2017): every iteration draws ``drawn`` of the scenarios (0 for all of them),
    plays ``episodes`` of each to their ends, then goes
    ``epochs`` times through all decisions, ``batch`` at a time, with Adam at ``rate``, which falls linearly
    to a tenth; ``discount`` for each step, ``trace`` (lambda) of the advantages, ``clip`` of the ratio,
    weight of the ``entropy``, which falls as well.

    With a ``curriculum`` each of ``scenarios`` is a level, and that many are ``drawn`` by it (see
    ``training.curriculum``); it is told the world's metric of each episode, as a share.

    ``evaluate_every`` so many iterations, and after those in ``also_at``, the most probable code of each
    decision is played on all test seeds, and the weights are kept.
    """

    scenarios: tuple[str, ...]
    held_out: tuple[str, ...] = ()
    rules: str = "standard"
    seeds: Seeds = Seeds(10_000, 1_000)
    test_seeds: Seeds = Seeds(0, 8)
    network: Literal["entities", "list"] = "entities"
    bodies: Literal["shared", "central"] = "shared"
    hidden: int = 64
    reward: str = "score"
    shaping: float = 1.0
    seed: int = 0
    iterations: int = 150
    drawn: int = 0
    curriculum: Order | UnsetType = UNSET
    episodes: int = 6
    epochs: int = 2
    batch: int = 4096
    rate: float = 1e-3
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    evaluate_every: int = 10
    also_at: tuple[int, ...] = ()


LEAST = {
    **dict.fromkeys(("hidden", "iterations", "episodes", "epochs", "batch", "evaluate_every"), 1),
    **dict.fromkeys(("rate", "clip", "entropy", "shaping", "seed", "drawn"), 0),
}
MOST = {"hidden": 4096, "discount": 1, "trace": 1}


def read_configuration(file: Path) -> Configuration:
    """The configuration of a file; raises ``BadFile``, ``Refused``."""
    configuration: Configuration = read_json(file, Configuration, "a configuration")
    check(configuration, str(file))
    return configuration


def shipped_configuration(world: str) -> Configuration:
    """How the learned agent of a world was trained; raises ``Refused`` where it has none."""
    pack = packs.pack(world)
    if not pack.training:
        raise Refused(f"{world}: no training ships with this world; name scenarios, or a configuration")
    package, _, path = pack.training.partition(":")
    from importlib.resources import as_file, files

    with as_file(files(package).joinpath(path)) as file:
        return read_configuration(file)


def check(configuration: Configuration, where: str) -> None:
    """Raises ``Refused`` for a run that cannot be."""
    for name, least in LEAST.items():
        if getattr(configuration, name) < least:
            raise Refused(f"{where}: {name} is {least} at least, not {getattr(configuration, name)}")
    for name, most in MOST.items():
        if not 0 <= getattr(configuration, name) <= most:
            raise Refused(f"{where}: {name} is {most} at most, not {getattr(configuration, name)}")
    train, test = configuration.seeds, configuration.test_seeds
    if min(train.count, test.count) < 1 or min(train.first, test.first) < 0:
        raise Refused(f"{where}: seeds are counted from 0, and there is one at least")
    if train.first < test.first + test.count and test.first < train.first + train.count:
        raise Refused(
            f"{where}: seeds {train.first} to {train.first + train.count - 1} and test_seeds {test.first} to"
            f" {test.first + test.count - 1} overlap; what is learnt is tested on seeds of its own"
        )
    if configuration.curriculum is not UNSET and not configuration.drawn:
        raise Refused(f"{where}: a curriculum draws a number of scenarios; 'drawn' says how many")
    if not configuration.scenarios:
        raise Refused(f"{where}: name one scenario at least")
    ids = expanded(configuration.scenarios)
    shared = set(ids) & set(expanded(configuration.held_out))
    if shared:
        raise Refused(f"{where}: {min(shared)} is trained on and held out")
    worlds = {id.partition("/")[0] for id in (*ids, *expanded(configuration.held_out))}
    if len(worlds) > 1:
        raise Refused(f"{where}: one network plays one world, not {' and '.join(sorted(worlds))}")


def expanded(scenarios: tuple[str, ...]) -> tuple[str, ...]:
    """Every id once; suites stand for theirs."""
    return tuple(dict.fromkeys(id for name in scenarios for id in registry.expand(name)))


def changed(configuration: Configuration, **changes: object) -> Configuration:
    """With these fields in place of its own, those that are ``None`` left out; raises ``Refused``."""
    made = replace(configuration, **{name: value for name, value in changes.items() if value is not None})
    check(made, "train")
    return made
