"""Calls as people and models write them."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.values import Refusal
from backburner.worlds.desk.game.state import Cancel, Check, Finish, Reply, Start, Wait
from backburner.worlds.desk.game.transition import AGENT

REPORT = Start("report", "net", (("total", 46480),))


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("export(subject=orders)", Start("export", "orders")),
        ("export(orders)", Start("export", "orders")),
        ('Export( "Orders" )', Start("export", "orders")),
        ("```\nexport(subject: orders)\n```", Start("export", "orders")),
        ("build()", Start("build")),
        ("build", Start("build")),
        ("report(subject=net, total=46480)", REPORT),
        ("report(total=46,480, subject=net)", REPORT),
        ("report(net, total: 46 480)", REPORT),
        ("The net is 48,210 less 1,730.\n\nAction: report(subject=net, total='46480.0')", REPORT),
        ("report(subject=net, total=much)", Start("report", "net", (("total", "much"),))),
        ("check(job=export orders)", Check("export orders")),
        ("check(export(subject=orders))", Check("export orders")),
        ("cancel(Build)", Cancel("build")),
        ("reply(to=door, value=Store)", Reply("door", "store")),
        ("reply(door, store)", Reply("door", "store")),
        ("reply(to=door, answer=store)", Reply("door", "store")),
        ("reply(to=door)", Reply("door")),
        ("wait()", Wait()),
        ("wait(5)", Wait(5)),
        ("wait(minutes=5, wakes=none)", Wait(5, wakes=())),
        ("wait(until=09:15, wakes=urgent)", Wait(until=15, wakes=("urgent",))),
        ("wait(wakes=export orders, build)", Wait(wakes=("export orders", "build"))),
        ("wait(until=25:15)", None),
        ("wait(minutes:15)", Wait(15)),
        ("wait(until:09:15)", Wait(until=15)),
        ("report(subject:net,total:46)", Start("report", "net", (("total", 46),))),
        ('report("subject": "net", "total": 46480)', REPORT),
        ("finish()", Finish()),
        ("fly(high)", Start("fly", "high")),
        ("I would rather not.", None),
        ("build() and then rota()", None),
        ("build()\nbuild()", Start("build")),
    ],
)
def test_an_answer_is_read(answer: str, read) -> None:
    world = registry.world("desk/made/counter")
    found = world.parse(world.start(), AGENT, answer)
    assert isinstance(found, Refusal) if read is None else found == read


def test_words_are_written_in_the_order_of_the_tool() -> None:
    world = registry.world("desk/made/counter")
    assert world.words(REPORT) == "report(subject=net, total=46480)"
    assert world.words(Wait(until=75, wakes=("urgent",))) == "wait(until=10:15, wakes=urgent)"
    assert world.words(Wait(5, wakes=())) == "wait(minutes=5, wakes=none)"


def test_the_briefing_fits_a_page_and_says_what_polling_costs() -> None:
    world = registry.world("desk/made/counter")
    told = world.briefing(AGENT)
    assert len(told.split()) < 900
    assert "check takes 3 min" in told and "every total of export orders" in told
    assert "the first counts" in told
    without = registry.world("desk/made/counter@content=off").briefing(AGENT)
    assert "total is" not in without and "the first counts" not in without


def test_the_in_tray_tells_what_is_asked_and_until_when() -> None:
    """Within 60 characters; the request comes in at 9:09, and is open for 6 minutes."""
    world = registry.world("desk/made/counter")
    state = world.start()
    (before,) = (place for place in world.scene(state).places if place.name == "in-tray")
    state = world.step(state, {AGENT: Wait(9)}).state
    (tray,) = (place for place in world.scene(state).places if place.name == "in-tray")
    (door,) = tray.stack
    assert before.stack == () and door.name == "door"
    assert door.marks == ("by 09:15", "The courier is at the door: shall the parcel go to the stor…")
