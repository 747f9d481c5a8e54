"""Agents on the command line: how they and their language models are asked for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from backburner.agents.models.boundary import ModelClient
from backburner.agents.models.openai_client import OpenAIClient
from backburner.agents.models.scripted import ScriptedModel
from backburner.agents.roster import DESCRIPTIONS, AgentSpec, check_spec

SCRIPT = "script:"

AGENTS = (
    f"One or more of: {', '.join(DESCRIPTIONS)}. A team has one for each seat, in their order: greedy+random."
)

ModelOption = Annotated[str, typer.Option("--model", help="Model name, or script:FILE for recorded replies.")]
BaseUrlOption = Annotated[str, typer.Option("--base-url", help="An OpenAI-compatible endpoint.")]
TemperatureOption = Annotated[float, typer.Option("--temperature", min=0.0, help="Decoding temperature.")]
OwnTemperatureOption = Annotated[
    bool, typer.Option("--own-temperature", help="Send no temperature; for models that refuse one.")
]
MaxTokensOption = Annotated[int, typer.Option("--max-tokens", min=1, help="Longest answer, in tokens.")]
TimeoutOption = Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds to wait for a model call.")]
AtOnceOption = Annotated[int, typer.Option("--at-once", min=1, help="Model episodes in flight together.")]


def let_own_agents_be_found() -> None:
    """Modules in the current folder can be imported, here and in the processes of a run."""
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)


def client_of(spec: AgentSpec, timeout_seconds: float) -> ModelClient:
    """Where the calls of an agent's language model go."""
    if spec.model.startswith(SCRIPT):
        return ScriptedModel.from_file(Path(spec.model.removeprefix(SCRIPT)))
    return OpenAIClient(spec.model, base_url=spec.base_url or None, timeout_seconds=timeout_seconds)


def spec_of(name: str, model: str, base_url: str, temperature: float | None, max_tokens: int) -> AgentSpec:
    """An agent as asked for on the command line; raises what ``check_spec`` raises."""
    spec = AgentSpec(name)
    if spec.needs_model:
        spec = AgentSpec(name, model, base_url, temperature, max_tokens)
    check_spec(spec)
    return spec
