"""The worlds of Backburner for verifiers, which looks for a taskset in a module of the taskset's name.

vf-validate backburner-verifiers --taskset.scenarios '["timearena/quick"]' --runtime.type subprocess
"""

try:
    from backburner.training.verifiers import ScenarioEnv, ScenarioTaskset
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "verifiers":
        raise
    from backburner.kernel.errors import MissingExtra

    raise MissingExtra("verifiers", "a taskset of verifiers") from error

__all__ = ["ScenarioEnv", "ScenarioTaskset"]
