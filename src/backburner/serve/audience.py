"""The pages that look at one game: a connection each, with what its link lets it see and do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from backburner.kernel.episode import Ending
from backburner.kernel.errors import Refused, one_line, shorten
from backburner.kernel.values import Seat
from backburner.kernel.view import Scene
from backburner.serve.outlets import Outlet, Shown
from backburner.serve.protocol import FromServer, Over, People, written
from backburner.serve.store import Link
from backburner.serve.views import Whose

MOST_PAGES = 100
"""That look at one game."""

LONGEST_WHY = 300
"""Characters of why a game has failed."""


class Page:
    """A connection and what it may see and do. ``hosts``: whether the host's messages are taken from it."""

    def __init__(self, outlet: Outlet, link: Link, hosts: bool) -> None:
        self.outlet, self.link, self.hosts = outlet, link, hosts
        self._scene: Scene | None = None

    @property
    def whose(self) -> Whose:
        """Whose view it is shown."""
        return self.link.seat or None

    def show(self, shown: Shown, *, if_new: bool) -> None:
        """Show a frame; with ``if_new`` only one that has events or another scene than the last one."""
        if not if_new or shown.frame.events or shown.frame.scene != self._scene:
            self._scene = shown.frame.scene
            self.outlet.show(shown)

    def tell_over(self, ending: Ending) -> None:
        """The game is over, and whether this page may have its record."""
        why = shorten(one_line(ending.error), LONGEST_WHY)
        may_have_it = self.hosts or self.link.role == "player"
        self.outlet.send(Over(ending.status, ending.reason, ending.numbers, may_have_it, why))


class Audience:
    """The pages that are open. ``people`` makes what they are told of who is there; ``None``: not now."""

    def __init__(self, people: Callable[[], People | None]) -> None:
        self._people = people
        self._to_tell = False
        self.pages: list[Page] = []

    def check_room(self) -> None:
        """Raises ``Refused`` where too many pages are open."""
        if len(self.pages) >= MOST_PAGES:
            raise Refused("too many pages look at this game")

    def page_of(self, outlet: Outlet) -> Page | None:
        """The page of a connection, if it is open."""
        return next((page for page in self.pages if page.outlet is outlet), None)

    def tell(self, message: FromServer) -> None:
        """Send a message to every page."""
        text = written(message)
        for page in self.pages:
            page.outlet.send(text)

    def people_changed(self) -> None:
        """Tell who is there and who thinks: once for all that changes at one time."""
        if not self._to_tell and self.pages:
            self._to_tell = True
            asyncio.get_running_loop().call_soon(self._tell_people)

    def _tell_people(self) -> None:
        self._to_tell = False
        if (people := self._people()) is not None:
            self.tell(people)

    def close(self, why: str, *, again: bool = False) -> None:
        """Close every page; with ``again`` they come back by themselves."""
        for page in tuple(self.pages):
            page.outlet.close(why, again=again)

    def close_link(self, seat: Seat) -> None:
        """Close the pages of a seat's link (``""``: the onlookers'), which holds no more; not the host's."""
        for page in tuple(self.pages):
            if page.link.seat == seat and page.link.role != "host":
                page.outlet.close("the link holds no more")
