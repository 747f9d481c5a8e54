"""Records as a stranger may send them: any objects as lines, chained as if they had been written so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from backburner.kernel.chain import Chain, parted

Object = dict[str, Any]


def objects_in(content: bytes) -> list[Object]:
    """What the lines of a record hold, without their chains."""
    return [msgspec.json.decode(parted(line).body) for line in content.splitlines()]


def forged(objects: Sequence[Any]) -> bytes:
    """The objects as a record whose chain is sound."""
    chain = Chain()
    return b"".join(chain.line(msgspec.json.encode(each)) for each in objects)


def forge(path: Path, change: Callable[[list[Object]], Any], target: Path | None = None) -> Path:
    """Change the lines of a record in place, and chain them anew; the changed file."""
    objects = objects_in(path.read_bytes())
    change(objects)
    target = target or path
    target.write_bytes(forged(objects))
    return target
