"""The checks of the conformance kit, by what they need."""

from __future__ import annotations

from typing import Any

from backburner.kernel import testing


def checks_of(*needed: Any) -> set[str]:
    """The names of the checks that need one of these: capabilities, or arguments of the kit."""
    stages = (
        testing.OF_THE_WORLD,
        testing.AT_THE_START,
        testing.AT_A_STATE,
        testing.AT_A_DECISION,
        testing.AT_THE_END,
    )
    return {
        check.__name__ for stage in stages for need, checks in stage if need in needed for check in checks
    }
