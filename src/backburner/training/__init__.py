"""What learners use: environments as the field has them, batches of episodes, data, learners.

Importing it registers the worlds with Gymnasium, where that is installed.
"""

from importlib.util import find_spec

from backburner.training.registration import register_worlds

if find_spec("gymnasium") is not None:
    register_worlds()
