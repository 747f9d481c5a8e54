"""What a worker needs of the head's machine: files that the work names, code from here, keys of models."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.agents.models.openai_client import KEY_VARIABLES
from backburner.agents.spec import AgentSpec, Clients, Endpoint, recording_of
from backburner.evaluation.running.jobs import Job
from backburner.kernel import __version__
from backburner.kernel.errors import Refused
from backburner.kernel.files import read_regular

SCRIPT = "script:"

OWN_VARIABLES = (*KEY_VARIABLES, "OPENAI_BASE_URL")

PROVIDER_ENDINGS = ("_API_KEY", "_BASE_URL")
"""How the variables end that Inspect's providers look for."""

MOST_BYTES = 1 << 28
"""Of all files together."""


class Hidden:
    """Environment variables. No ``repr`` shows them."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = dict(variables)

    def __repr__(self) -> str:
        return "Hidden(...)"


class Asking(Struct, frozen=True):
    """How a worker asks models: which there are, who makes their clients, the time of an episode."""

    endpoints: tuple[Endpoint, ...]
    client_of: Clients
    episode_seconds: float | None

    def __repr__(self) -> str:  # clients may have headers with keys
        return "Asking(...)"


class Luggage(Struct, frozen=True):
    """What a new worker is handed. ``files``: their contents by their paths below the current folder."""

    files: dict[str, bytes]
    variables: Hidden
    asking: Asking | None = None


def luggage_for(
    scenarios: Iterable[str],
    agents: Iterable[AgentSpec] = (),
    variables: Mapping[str, str] | None = None,
    asking: Asking | None = None,
) -> Luggage:
    """The luggage for these scenarios and agents.

    Raises ``Refused`` for a file that does not lie below the current folder: records name files by their
    paths, which must be the same for workers; and where there is too much of them.
    """
    files: dict[str, bytes] = {}
    for path in dict.fromkeys((*_named(scenarios, agents), *_modules(agents))):
        name = _inside(path)
        files[name] = read_regular(path)
    if sum(map(len, files.values())) > MOST_BYTES:
        raise Refused(f"the files that workers need are more than {MOST_BYTES >> 20} MiB")
    return Luggage(files, Hidden(variables or {}), asking)


def scenarios_and_agents(jobs: Sequence[Job]) -> tuple[list[str], list[AgentSpec]]:
    """The scenarios and the agents of the jobs, each once."""
    return list(dict.fromkeys(job.scenario for job in jobs)), list(dict.fromkeys(job.agent for job in jobs))


def _named(scenarios: Iterable[str], agents: Iterable[AgentSpec]) -> Iterator[Path]:
    """Every file that a scenario or an agent names."""
    yield from (Path(name) for name in scenarios if name.endswith(".json"))
    for agent in agents:
        yield from filter(None, map(recording_of, agent.members))
        models = (endpoint.model for endpoint in agent.endpoints)
        yield from (Path(name.removeprefix(SCRIPT)) for name in models if name.startswith(SCRIPT))
        if agent.prompts_folder is not None:
            yield from sorted(file for file in agent.prompts_folder.rglob("*") if file.is_file())


def _modules(agents: Iterable[AgentSpec]) -> Iterator[Path]:
    """Where an agent is a class of the user's own: every module that was imported from the current folder.

    What is installed in an environment there is not sent.
    """
    if not any(":" in name and recording_of(name) is None for agent in agents for name in agent.members):
        return
    here = Path.cwd()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not file or not file.endswith(".py"):
            continue
        path = Path(file)
        if path.is_relative_to(here) and not {"site-packages", "backburner"} & set(path.parts):
            yield path.relative_to(here)


def _inside(path: Path) -> str:
    here = Path.cwd()
    if path.is_absolute() or not (here / path).resolve().is_relative_to(here.resolve()):
        raise Refused(f"{path}: with --cluster, name files by paths below the current folder")
    return path.as_posix()


def variables_for(engine: str, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables with keys and addresses of models that an engine looks for."""
    if engine == "own":
        return {name: environment[name] for name in OWN_VARIABLES if name in environment}
    return {name: value for name, value in environment.items() if name.endswith(PROVIDER_ENDINGS)}


# --- the same program on both sides ------------------------------------------------------------------------


def about_here() -> dict[str, Any]:
    """What has to be the same on both sides, as plain values, and where this is."""
    return {
        "version": __version__,
        "sources": _sources(),
        "python": ".".join(map(str, sys.version_info[:2])),
        "host": platform.node(),
        "process": os.getpid(),
    }


def check_alike(there: Mapping[str, Any]) -> None:
    """Raises ``Refused`` if a worker has another Python or backburner than the head."""
    if "missing" in there:
        raise Refused(f"{there['missing']}; install backburner there, in the version that is here")
    here = about_here()
    other = ""
    if there["python"] != here["python"]:
        other = f"Python {there['python']}, and here is {here['python']}"
    elif there["version"] != here["version"]:
        other = f"backburner {there['version']}, and here is {here['version']}"
    elif there["sources"] != here["sources"]:
        other = f"other sources of backburner {there['version']} than are here"
    if other:
        raise Refused(f"the worker on {there['host']} has {other}; both must be the same")


@cache
def _sources() -> str:
    """A digest of the package's code and data: two copies with the same version may still differ."""
    return digest_of(Path(__file__).resolve().parents[1])


def digest_of(root: Path) -> str:
    """A digest of all files below a folder, but for what Python and numba keep of them as they go."""
    whole = blake2b(digest_size=16)
    for file in sorted(root.rglob("*")):
        if file.is_file() and "__pycache__" not in file.relative_to(root).parts:
            whole.update(file.relative_to(root).as_posix().encode() + b"\0")
            whole.update(blake2b(file.read_bytes(), digest_size=16).digest())
    return whole.hexdigest()
