"""What goes over the wire: read back as written, bounded, and nothing else is read."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from backburner.kernel.errors import Refused
from backburner.kernel.values import Event
from backburner.kernel.view import Body, Place, Scene
from backburner.serve import protocol
from backburner.serve.protocol import (
    LONGEST_LINE,
    MOST_MESSAGE_BYTES,
    Frame,
    FromPage,
    FromServer,
    GamePlan,
    Hello,
    Move,
    PressDone,
    Replace,
    Told,
    Wanted,
    said,
    told,
    written,
)
from support.promptly import within

SENT = [
    Hello("secret", seen=4, name="Ann"),
    Move(3, 7, line="goto agent0 pot0"),
    Move(4, 7, option=0),
    Move(5, 7, press=PressDone(place="pot0", body="agent0")),
    Replace("agent0", Wanted("model", "act", "some-model")),
]


@pytest.mark.parametrize("message", SENT, ids=lambda message: type(message).__name__)
def test_what_a_page_says_is_read_as_it_was_written(message: FromPage) -> None:
    assert said(written(message)) == message
    assert said(written(message).encode()) == message


def test_a_frame_is_read_as_it_was_written() -> None:
    scene = Scene(3, 2, (Place("pot0", "pot", (1, 1)),), (Body("agent0", "cook", None),))
    frame = Frame(2, 1.5, scene, "", (), (Event(1, "start", "agent0", "walk", "k1"),), ("agent0",))
    assert told(written(frame)) == frame


def test_every_message_has_a_tag_of_its_own_and_no_field_called_kind() -> None:
    kinds = [*get_args(FromPage), *get_args(FromServer)]
    tags = [kind.__struct_config__.tag for kind in kinds]
    assert len(set(tags)) == len(tags) == 22
    assert all(kind.__struct_config__.tag_field == "kind" for kind in kinds)
    assert not [kind for kind in kinds if "kind" in kind.__struct_fields__]


@pytest.mark.parametrize(
    "message",
    [
        "",
        "null",
        "[]",
        "[" * 10_000,
        '{"kind":"nothing"}',
        '{"kind":"welcome"}',
        '{"kind":"ping","more":1}',
        '{"kind":"move","id":1,"number":"1"}',
        '{"kind":"move","id":-2,"number":1}',
        '{"kind":"move","id":' + "9" * 5000 + ',"number":1}',
        '{"kind":"move","id":1,"number":1,"option":-1}',
        '{"kind":"hello","token":"\\ud800"}',
        '{"kind":"hello","token":"' + "x" * 201 + '"}',
        "\ud800",
        b"\xff\xfe",
    ],
)
def test_anything_else_is_refused_in_a_line(message: str | bytes) -> None:
    with pytest.raises(Refused) as caught:
        said(message)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


def test_the_longest_line_fits_into_a_message_whatever_it_is_made_of() -> None:
    move = Move(2**53 - 1, 2**53 - 1, line="\N{FROG FACE}" * LONGEST_LINE)
    assert len(written(move).encode()) <= MOST_MESSAGE_BYTES
    assert said(written(move)) == move
    with pytest.raises(Refused):
        said(written(Move(1, 1, line="a" * (LONGEST_LINE + 1))))


def test_a_megabyte_is_refused_at_once() -> None:
    for text in ("a" * 2**20, '{"kind":"move","line":"' + "\N{FROG FACE}" * 2**18, "[" * 2**20):
        with within(0.1), pytest.raises(Refused, match="bytes"):
            said(text)
    few_letters_many_bytes = "\N{FROG FACE}" * (MOST_MESSAGE_BYTES // 2)
    with pytest.raises(Refused, match="bytes"):
        said(few_letters_many_bytes)


def test_a_plan_is_read_with_its_defaults_and_bounds() -> None:
    plan = protocol.plan_in(b'{"scenario":"timearena/cooking1","players":{"agent":{"kind":"person"}}}')
    assert plan == GamePlan("timearena/cooking1", {"agent": Wanted("person")})
    for wrong in (
        {"scenario": ""},
        {"scenario": "a", "pace_seconds": 0},
        {"scenario": "a", "away_seconds": -1},
        {"scenario": "a", "players": {str(number): {"kind": "person"} for number in range(65)}},
        {"scenario": "a", "host": True},
    ):
        with pytest.raises(Refused):
            protocol.plan_in(msgspec.json.encode(wrong))


def test_numbers_that_are_none_are_not_sent() -> None:
    """JSON has no such number; what comes out of the encoder can be read by a page."""
    message: Any = Told(1, "accepted")
    said = {"kind": "told", "id": 1, "status": "accepted", "why": "", "number": -1}
    assert msgspec.json.decode(written(message)) == said
