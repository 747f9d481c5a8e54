"""How long a call to a model is tried: tries, pauses between them, and the time that all of it may take."""

from __future__ import annotations

from msgspec import Struct


class Patience(Struct, frozen=True):
    """What a call may take before it has failed.

    ``tries``: how often the same call is sent at most. ``try_seconds``: the time of one try, from sending
    to the last byte, so that an answer that drips in ends too. ``call_seconds``: the time of a call with
    all its tries and pauses. ``longest_pause_seconds``: pauses begin at half a second and double up to it;
    what a server asks for in ``Retry-After`` is waited for as long as it fits into ``call_seconds``.
    """

    tries: int = 10
    try_seconds: float = 300.0
    call_seconds: float = 1800.0
    longest_pause_seconds: float = 60.0

    def pause_seconds(self, tried: int, asked_seconds: float | None, chance: float) -> float:
        """The pause after so many tries: what the server asks for and a little more, or our own.

        ``chance`` (0 to 1) spreads callers that failed together: a pause is cut, or what was asked for
        lengthened, by up to a quarter of our own.
        """
        own = min(self.longest_pause_seconds, 0.5 * 2.0 ** min(tried - 1, 30))
        return own * (1 - chance / 4) if asked_seconds is None else asked_seconds + own * chance / 4


USUAL = Patience()
