"""The taskset of Backburner under the name that a hub has it by."""

from backburner_verifiers import ScenarioEnv, ScenarioTaskset

__all__ = ["ScenarioEnv", "ScenarioTaskset"]
