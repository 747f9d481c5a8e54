"""A short fingerprint of any value that writes itself as JSON."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

_canonical = msgspec.json.Encoder(order="deterministic")


def canonical_json(value: Any) -> bytes:
    """``value`` as JSON with one spelling: fields in their order, sets and maps sorted."""
    return _canonical.encode(value)


def digest(value: Any) -> str:
    """16 hexadecimal digits of blake2b over the canonical JSON; equal values of a type, equal digests."""
    return blake2b(_canonical.encode(value), digest_size=8).hexdigest()
