"""A study on a server, and the pages of its participants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from backburner.kernel.doors import Doors
from backburner.serve.app import Settings, Site
from backburner.serve.games import Games
from backburner.serve.limits import Secret
from backburner.study import pages
from backburner.study.conduct import Conduct
from backburner.study.files import StudyFile
from backburner.study.site import StudySite
from support.serve.site import served


@contextmanager
def studied(folder: Path, study: StudyFile) -> Iterator[int]:
    """The port of a server with a study."""
    made: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if not made:  # within the loop, where the games live
            games = Games(folder)
            extension = StudySite(Conduct(study, folder), games)
            settings = Settings(doors=Doors.of([], []), secret=Secret("t" * 20), extension=extension)
            made.append(Site(games, settings).app())
        await made[0](scope, receive, send)

    with served(app) as port:
        yield port


class Tab:
    """A participant's page."""

    def __init__(self, port: int, name: str = "small", token: str = "", **parameters: str) -> None:
        address = f"ws://127.0.0.1:{port}/study/{name}/ws"
        self.open = ExitStack()
        self.socket: ClientConnection = self.open.enter_context(connect(address, max_size=None))
        self.say(pages.Arrive(parameters, token, "en"))

    def say(self, message: pages.FromPage | str) -> None:
        self.socket.send(message if isinstance(message, str) else pages.written(message))

    def hear(self, kind: type[Any], **of: Any) -> Any:
        """The next message of a kind, with these fields."""
        while True:
            message = pages.told(self.socket.recv(timeout=60))
            fields = [getattr(message, name, None) == value for name, value in of.items()]
            if isinstance(message, kind) and all(fields):
                return message

    def agree(self) -> None:
        self.say(pages.Send(0, {"0": "yes"}, agreed=True))


SHORT = {
    "stages": [
        {"kind": "consent", "name": "consent", "text": "consent", "boxes": ["box"]},
        {
            "kind": "trials",
            "name": "games",
            "each": [
                {"kind": "play", "name": "game"},
                {"kind": "form", "name": "after", "questionnaire": "after"},
            ],
        },
        {"kind": "form", "name": "quiz", "questionnaire": "quiz"},
    ]
}
