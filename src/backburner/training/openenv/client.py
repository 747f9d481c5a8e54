"""The client: OpenEnv's, with our types. It needs ``openenv`` and no world.

with WorldClient(base_url="http://127.0.0.1:8000").sync() as session:
    result = session.reset(seed=1, scenario="timearena/cooking1")
    result = session.step(ReplyAction(text="wait"))
"""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, Field


class ToolUse(BaseModel):
    """A call of a tool; ``arguments``: an object, or a text that holds one."""

    name: str
    arguments: dict[str, Any] | str = ""
    id: str = ""


class ReplyAction(Action):  # type: ignore[misc]  # OpenEnv is no part of what types are checked against
    """What the learner replies, in words or by calls, or that it leaves the episode in its midst."""

    text: str = Field(default="", description="The reply, in the form that the briefing asks for")
    calls: list[ToolUse] = Field(
        default_factory=list, description="Calls of the tools that reset tells, with or without words beside"
    )
    leave: bool = Field(
        default=False,
        description="The learner stops here, whatever the text, and is paid for the episode as it ends then",
    )


class ToldObservation(Observation):  # type: ignore[misc]
    """What the learner is told; ``reward`` is what its last reply was worth, ``done`` whether it is over."""

    text: str = Field(default="", description="What is said to the learner; at reset the briefing as well")
    tools: list[dict[str, Any]] = Field(
        default_factory=list, description="At reset: what may be called, in the form of OpenAI"
    )
    scenario: str = Field(default="", description="The scenario's id")
    seed: int = Field(
        default=0, description="The episode's seed: the same scenario, seed and replies play alike"
    )
    seat: str = Field(default="", description="The learner's seat")
    refused: str = Field(default="", description="What of the reply was refused, and why, if anything")
    why: str = Field(default="", description="Why the episode is over; empty while it goes on")
    numbers: dict[str, float] = Field(default_factory=dict, description="The world's own figures so far")
    metric: str = Field(default="", description="The name of the world's main metric")
    value: float | None = Field(default=None, description="The main metric, once the episode is over")


class EpisodeState(State):  # type: ignore[misc]
    """Where the session's episode stands; ``step_count`` counts replies."""

    scenario: str = ""
    seed: int = 0
    seat: str = ""
    done: bool = False
    total_reward: float = 0.0


class WorldClient(EnvClient[ReplyAction, ToldObservation, EpisodeState]):  # type: ignore[misc]
    """A session of a server, over one WebSocket."""

    def _step_payload(self, action: ReplyAction) -> dict[str, Any]:
        calls = [call.model_dump() for call in action.calls]
        return {"text": action.text, "leave": action.leave, **({"calls": calls} if calls else {})}

    def _parse_result(self, payload: dict[str, Any]) -> Any:
        done, reward = bool(payload.get("done", False)), payload.get("reward")
        observation = ToldObservation(**payload["observation"], done=done, reward=reward)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> EpisodeState:
        return EpisodeState(**payload)
