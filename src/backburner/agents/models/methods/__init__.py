"""The prompting methods by name; each has its templates in ``templates/any/<name>``."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.agents.models.method import Method
from backburner.agents.models.methods.agile import AGILE
from backburner.agents.models.methods.calls import CALLS
from backburner.agents.models.methods.cook import COOK
from backburner.agents.models.methods.dispatcher import DISPATCHER
from backburner.agents.models.methods.formalise import FORMALISE
from backburner.agents.models.methods.modulo import MODULO
from backburner.agents.models.methods.reflexion import REFLEXION
from backburner.agents.models.methods.stepwise import ACT, REACT, REASONED, SELF_PLAN
from backburner.agents.models.methods.whole_plans import IO, IO_COT, PLAN_AND_SOLVE

METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        ACT,
        REACT,
        SELF_PLAN,
        REASONED,
        PLAN_AND_SOLVE,
        MODULO,
        IO,
        IO_COT,
        REFLEXION,
        DISPATCHER,
        COOK,
        AGILE,
        CALLS,
        FORMALISE,
    )
}
