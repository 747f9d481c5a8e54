"""By whose pages and by which names a server is asked, for whatever this package serves.

A browser says from which page a request comes (``Origin``) and for which name it looked up the address
(``Host``). A page of another origin is refused, and so is a name that nobody gave this server, as a hostile
page can have its own name lead to an address of yours (DNS rebinding). A request with an address in place of
a name is no such attack. Programs that are no browsers may leave ``Origin`` out; they have no token of yours
to misuse.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from backburner.kernel.errors import Refused, shorten

CLOSED = "this server is not asked by that name, or not by that page"
"""What a request is told that may not come in."""


def headers_of(scope: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The headers of an ASGI request, names in small letters."""
    return [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]


class Doors(Struct, frozen=True):
    """By which names the server is asked. ``names``: hosts without a port; ``origins``: of the addresses that
    people use where these are others than the server's own, as behind a proxy
    (``https://play.example.org``)."""

    names: frozenset[str]
    origins: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str], addresses: Iterable[str]) -> Doors:
        """For these names, and for the addresses by which people reach it; raises ``Refused``."""
        parts = [address_parts(address) for address in addresses]
        hosts = {host for host, _ in parts} | {name.lower() for name in names} | {"localhost"}
        return cls(frozenset(hosts), frozenset(origin for _, origin in parts))

    @classmethod
    def of_host(cls, host: str, addresses: Iterable[str]) -> Doors:
        """For a server that listens at ``host``; raises ``Refused``."""
        name = socket.gethostname()
        return cls.of((host,) if is_loopback(host) else (host, name, f"{name}.local"), addresses)

    def open_to(self, scope: Mapping[str, Any]) -> bool:
        """Whether an ASGI request may come in; one that says twice where it comes from may not."""
        raw = headers_of(scope)
        times = Counter(name for name, _ in raw)
        return times["host"] == 1 and times["origin"] <= 1 and self.lets_in(dict(raw))

    def lets_in(self, headers: Mapping[str, str]) -> bool:
        """Whether a request came by one of these names, and from no page of another origin."""
        host = headers.get("host", "").lower()
        if not self._known(host):
            return False
        origin = headers.get("origin", "").lower()
        if origin:
            return origin in self.origins or origin in (f"http://{host}", f"https://{host}")
        # A link may lead here from anywhere; a picture or a script of another page may not.
        follows = headers.get("sec-fetch-mode") == "navigate"
        return follows or headers.get("sec-fetch-site", "none") in ("none", "same-origin")

    def _known(self, host: str) -> bool:
        if not _HOST.fullmatch(host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self.names or _is_ip(name)


_HOST = re.compile(r"[a-z0-9._:\[\]-]+")


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches the address or name."""
    return host == "localhost" or (_is_ip(host) and ipaddress.ip_address(host).is_loopback)


def address_parts(address: str) -> tuple[str, str]:
    """(host, origin) of an address such as ``https://play.example.org``; raises ``Refused``."""
    try:
        parts = urlsplit(address.strip().lower())
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host or parts.path not in ("", "/") or parts.query:
        raise Refused(f"{shorten(address)!r}: write the address as https://play.example.org, without a path")
    return host, f"{parts.scheme}://{parts.netloc}"
