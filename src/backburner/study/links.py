"""Links and tokens: made of the study's secret, so that none of them needs to be written down."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import blake2b
from urllib.parse import urlencode

from backburner.study.design import Status, Study

INVITATION = "invitation"
"""The parameter of a link that ``study links`` makes."""


class Links:
    """Makes and checks what only those know whom it was given to."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, participant: str) -> str:
        """What a participant's browser keeps, to go on with."""
        return f"{participant}.{self._mark('participant', participant)}"

    def participant(self, token: str) -> str | None:
        """Whose token it is; ``None`` if it is nobody's."""
        whose, _, mark = token.partition(".")
        return whose if self._fits("participant", whose, mark) else None

    def invitation(self, number: int) -> str:
        """The invitation of this number."""
        return f"{number}-{self._mark('invitation', str(number))}"

    def invited(self, invitation: str) -> int | None:
        """The number of an invitation; ``None`` if it is none of this study's."""
        number, _, mark = invitation.partition("-")
        right = number.isascii() and number.isdecimal() and len(number) < 10
        return int(number) if right and self._fits("invitation", number, mark) else None

    def _mark(self, kind: str, of: str) -> str:
        made = blake2b(f"{kind}/{of}".encode("utf-8", "replace"), key=self._secret, digest_size=16)
        return urlsafe_b64encode(made.digest()).decode().rstrip("=")

    def _fits(self, kind: str, of: str, mark: str) -> bool:
        return hmac.compare_digest(self._mark(kind, of).encode(), mark.encode("utf-8", "replace"))


def address_of(base: str, study: Study, parameters: Mapping[str, str]) -> str:
    """A participant's link; ``base`` is the server's address, such as ``https://study.example``."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{base.rstrip('/')}/study/{study.name}{query}"


def back_of(study: Study, status: Status) -> tuple[str, str]:
    """(completion code, address to go back to) of an end; empty where the file has none."""
    code = study.recruitment.codes.get(status, "")
    back = study.recruitment.back
    if "{code}" in back and not code:
        return "", ""
    return code, back.replace("{code}", code)
