"""The file in which stands what play has changed on a server: from before the first change until all is put
back, so that it can be put back also where every process of it was killed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import read_json
from backburner.live.messages import Change, Join

FOLDER = Path("plays")
"""Where the file stands unless somebody says otherwise: where records do."""

PUT_BACK_WITH = "backburner live --restore"
ODD = re.compile(r"[^A-Za-z0-9.-]")


class Changed(Struct, frozen=True, forbid_unknown_fields=True):
    """A server, the bots that were on it, and what was changed there, in order."""

    host: str
    port: int
    version: str
    auth: Literal["offline", "microsoft"]
    bots: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def join(self) -> Join:
        """How the same bots come back."""
        return Join(host=self.host, port=self.port, bots=self.bots, version=self.version, auth=self.auth)


def changed_in(file: Path) -> Changed:
    """What a file says; raises ``BadFile``."""
    try:
        return msgspec.convert(read_json(file), Changed)
    except msgspec.ValidationError as error:
        raise BadFile(file, "", f"no list of changes on a server: {error}") from error


def file_for(folder: Path, join: Join) -> Path:
    """The file for a server, in a folder; raises ``Refused`` where there is one, of play before."""
    file = folder.absolute() / f"changed-on-{ODD.sub('_', join.host)}-{join.port}.json"
    if file.exists():
        raise Refused(
            f"{file} lists what was changed on {join.host}:{join.port} before and is not put back:"
            f" `{PUT_BACK_WITH} {file}` does; remove it if that server is no more"
        )
    return file
