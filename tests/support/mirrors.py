"""What goes over the wire, as the server declares it: for tests that compare it with the pages' sources."""

from __future__ import annotations

from typing import Any, get_args

import msgspec


def structs_in(*kinds: Any) -> dict[str, Any]:
    """Every struct of these types, by name, those inside of others as well."""
    found: dict[str, Any] = {}
    pending = list(kinds)
    while pending:
        kind = pending.pop()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            if kind.__name__ not in found:
                found[kind.__name__] = kind
                pending += [field.type for field in msgspec.structs.fields(kind)]
        else:
            pending += get_args(kind)
    return found
