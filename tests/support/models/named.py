"""The own client under the name that a model has at Inspect, so that both write the same records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.agents.models import OpenAIClient
from backburner.agents.spec import Endpoint


class NamedAsInspects(OpenAIClient):
    """Asks for the model by the last part of its name, as Inspect does."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint.model.rpartition("/")[2], endpoint.base_url)
        self.name = endpoint.model

    @property
    def origin(self) -> Mapping[str, Any]:
        return {"model": self.name, "base_url": self.base_url}
