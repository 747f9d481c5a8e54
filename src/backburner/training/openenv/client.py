"""The client: OpenEnv's, with our types. It needs ``openenv`` and no world.

with WorldClient(base_url="http://127.0.0.1:8000").sync() as session:
    result = session.reset(seed=1, scenario="timearena/cooking1")
    result = session.step(ReplyAction(text="wait"))
"""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from backburner.training.openenv.models import EpisodeState, ReplyAction, ToldObservation


class WorldClient(EnvClient[ReplyAction, ToldObservation, EpisodeState]):  # type: ignore[misc]
    """A session of a server, over one WebSocket."""

    def _step_payload(self, action: ReplyAction) -> dict[str, Any]:
        return {"text": action.text, "leave": action.leave}

    def _parse_result(self, payload: dict[str, Any]) -> Any:
        done, reward = bool(payload.get("done", False)), payload.get("reward")
        observation = ToldObservation(**payload["observation"], done=done, reward=reward)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> EpisodeState:
        return EpisodeState(**payload)
