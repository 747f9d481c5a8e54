"""The environments that there are, by id: ``backburner/<world>-v<version>`` for every installed world.

The version is that of the world's rules, which is raised whenever a recorded score would change. Gymnasium
finds them once ``backburner.training`` is imported, or by ``backburner.training:backburner/timearena-v3``.
"""

from __future__ import annotations

from collections.abc import Mapping

from backburner.kernel import packs
from backburner.kernel.pack import Pack

ENVIRONMENT = "backburner.training.gymnasium_env:WorldEnv"
VECTORS = "backburner.training.vector_env:WorldVectorEnv"


def environments() -> Mapping[str, Pack]:
    """The pack of each environment, by the environment's id."""
    return {pack.environment: pack for pack in packs.installed().packs.values()}


def register_worlds() -> None:
    """Gymnasium knows the environments of all installed worlds afterwards; what it knows it keeps."""
    from gymnasium.envs.registration import register, registry

    for id, pack in environments().items():
        if id not in registry:
            vectors = VECTORS if pack.batch else None
            register(id=id, entry_point=ENVIRONMENT, vector_entry_point=vectors, kwargs={"world": pack.name})
