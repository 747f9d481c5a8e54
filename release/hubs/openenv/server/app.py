"""The quick suites of all worlds that one seat plays, paid by each world's metric at the end.

BACKBURNER_ADDRESS: by which address it is reached, such as https://owner-backburner.example.org; other names are
refused. BACKBURNER_TOKEN: what clients send as ``Authorization: Bearer``; without it anybody may play.
"""

import os

from backburner.kernel.doors import Doors
from backburner.training.conversation import Setting
from backburner.training.offer import offer_of
from backburner.training.openenv.server import application

addresses = os.environ.get("BACKBURNER_ADDRESS", "http://localhost:8000").split()
app = application(
    offer_of((), Setting()), Doors.of((), addresses), token=os.environ.get("BACKBURNER_TOKEN", "")
)
