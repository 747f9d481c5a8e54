"""The prompting methods by name; each has its templates in ``templates/<world or any>/<name>``."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.agents.models.method import Method
from backburner.agents.models.methods.act import ACT
from backburner.agents.models.methods.react import REACT

METHODS: Mapping[str, Method] = {method.name: method for method in (ACT, REACT)}
