"""What bodies see and may choose, of many episodes at once, as the learner takes it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Seen(NamedTuple):
    """What one body of each of many rows sees, with the codes that it may choose, packed.

    ``context`` (row, number); of each allowed code its ``row``, its ``place`` among those of the row, the
    ``code``, and for entities its numbers in ``codes``. ``progress``: the potential of each row.
    ``live``: whether the row's episode goes on.
    """

    context: NDArray[np.float32]
    row: NDArray[np.int64]
    place: NDArray[np.int64]
    code: NDArray[np.int64]
    codes: NDArray[np.float32]
    progress: NDArray[np.float64]
    live: NDArray[np.bool_]
