"""What an export is asked for: which scenarios, who plays them, in which form they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from backburner.agents.models.method import AT
from backburner.agents.models.policy import check_method
from backburner.agents.roster import check_spec
from backburner.agents.spec import REPLAY, AgentSpec
from backburner.kernel import registry
from backburner.kernel.errors import Refused

Format = Literal["messages", "trajectories"]

FORMATS: tuple[Format, ...] = ("messages", "trajectories")

PROMPTED_BY = "act"
"""The method whose prompts stand in pairs of a better and a worse decision: one call for each decision."""


class Settings(Struct, frozen=True):
    """Everything that decides which bytes are written, for one version of the package.

    ``suites``: scenarios, suites, scenario files or folders. ``methods``: prompting methods, with their
    choices, whose conversations are written. ``thoughts``: whether answers that hold thoughts have them.
    ``seeds``: episodes of each scenario and agent. ``plan_seconds``: for one plan of the oracle; ``None``: a
    minute where the oracle plays, five seconds where others are only compared with it. ``unproven``:
    whether plans that are not proven best count as its own. ``effort``: of the search for what each state
    is worth (``Oracle.onward``); 0 for none. ``validation`` and ``test``: shares of the scenarios;
    ``hold_out``: parts of which scenarios for the test are built.
    """

    format: Format
    suites: tuple[str, ...]
    agents: tuple[str, ...] = ("oracle",)
    methods: tuple[str, ...] = (PROMPTED_BY,)
    thoughts: bool = True
    seeds: int = 1
    rules: str = "standard"
    limits: str = "article"
    plan_seconds: float | None = None
    unproven: bool = False
    effort: float = 1.0
    validation: float = 0.1
    test: float = 0.1
    hold_out: tuple[str, ...] = ()


def scenarios_of(settings: Settings) -> list[str]:
    """The ids, or scenario files, that the settings name, each once, in order."""
    return list(dict.fromkeys(id for suite in settings.suites for id in registry.expand(suite)))


def check(settings: Settings) -> None:
    """Raises ``UnknownName`` or ``Refused`` for what cannot be exported, before anything is played."""
    for name in settings.agents:
        spec = AgentSpec(name)
        if spec.needs_model:
            raise Refused(
                f"--agents {name}: it asks a model; --method chooses whose prompts demonstrations answer"
            )
        if name.startswith(REPLAY):
            raise Refused(f"--agents {name}: a record is of one scenario; name agents that play any")
        check_spec(spec)
    for method in settings.methods:
        check_method(method)
    if not 0 <= settings.validation + settings.test < 1:
        raise Refused("--validation and --test are shares of the scenarios; together they stay below 1")


def names_in(written: str) -> list[str]:
    """The names in a list such as ``oracle,greedy`` or ``react@calls=together,history=none,act``.

    A choice of a method goes on with what it follows.
    """
    names: list[str] = []
    for piece in written.split(","):
        goes_on = names and AT in names[-1] and "=" in piece and AT not in piece
        if goes_on:
            names[-1] += f",{piece.strip()}"
        else:
            names.append(piece.strip())
    return names


def once(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once, in order; raises ``Refused`` for an empty one."""
    if "" in names:
        raise Refused("a name is missing beside a comma")
    return tuple(dict.fromkeys(names))
