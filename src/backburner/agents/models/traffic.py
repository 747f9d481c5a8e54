"""What the calls of a run have come to so far, for whoever watches it."""

from __future__ import annotations

from collections.abc import Callable


class Traffic:
    """Calls that were sent, tries that failed and were followed by others, and the words of the last failure.

    ``tell`` hears once of a server that nobody can connect to.
    """

    def __init__(self, tell: Callable[[str], None] = lambda line: None) -> None:
        self.calls = 0
        self.retries = 0
        self.failure = ""
        self._tell = tell
        self._told = False

    def opened(self) -> None:
        """A call is about to be sent."""
        self.calls += 1

    def again(self, failure: str) -> None:
        """A try has failed, and there will be another."""
        self.retries += 1
        self.failure = failure

    def unreachable(self, line: str) -> None:
        """There is no connection to a server that has never answered."""
        if not self._told:
            self._told = True
            self._tell(line)
