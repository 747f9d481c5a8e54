"""What learners use: environments as the field has them, batches of episodes, data, learners.

Importing it registers an environment for every installed world with Gymnasium, where that is installed, by
the id ``backburner/<world>-v<version>``. The version is that of the world's rules, which is raised whenever a
recorded score would change. Gymnasium finds them once this is imported, or by
``backburner.training:backburner/timearena-v3``.
"""

from collections.abc import Mapping
from importlib.util import find_spec

from backburner.kernel import packs
from backburner.kernel.pack import Pack

ENVIRONMENT = "backburner.training.gymnasium_env:WorldEnv"
VECTORS = "backburner.training.gymnasium_env:WorldVectorEnv"


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


if find_spec("gymnasium") is not None:
    register_worlds()
