"""What goes wrong in the middle: a page that is closed, a server that is killed, and what nobody may see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect
from served import PATIENCE_SECONDS, Site, Somebody, play, until

import backburner
from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.replay import trajectory

LEVEL = "cuisineworld/level_0@seats=each,tau=1.5"
TEA = "timearena/household1"


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server of this test's own, which may be killed."""
    found = Site(tmp_path / "games")
    yield found
    found.stop()


def first(_: str, somebody: Somebody) -> None:
    somebody.page.locator(".moves button.option").first.click()


def moves(somebody: Somebody, number: int) -> None:
    """So many moves, each the first of the list."""
    for _ in range(number):
        until(lambda: somebody.asked_to_move, somebody.page, "a move")
        turns = somebody.messages("turn")
        first("", somebody)
        until(lambda: len(somebody.messages("turn")) > len(turns), somebody.page, "the next turn")  # noqa: B023


def test_who_comes_back_sees_all_that_has_happened(site: Site, sitting: Any) -> None:
    """The page is loaded again, and opened in another browser while the first is there; nothing is lost.

    The record of a game that is not over is its host's: who plays would read in it what is hidden from them.
    """
    opened = site.opens(LEVEL, {"agent0": {"kind": "person"}, "agent1": {"kind": "agent", "name": "greedy"}})
    token = opened["seats"]["agent0"]
    ann = sitting(site, token)
    moves(ann, 3)
    bars = ann.page.locator(".lanes svg, .lanes [class*=timeline]").first
    expect(bars).to_be_visible()
    events = [event for told in ann.messages("frame") for event in told["events"]]
    ann.told.clear()
    ann.page.reload()
    until(lambda: ann.asked_to_move, ann.page, "the turn again")
    again = [e for kind in ("past", "frame") for told in ann.messages(kind) for e in told["events"]]
    assert again == events, "a page that has seen nothing is told everything"
    moves(ann, 2)
    ann.context.close()
    other = sitting(site, token)
    moves(other, 2)
    assert len(episode_in(site.record(opened["host"]), "so far").entries) == 7
    site.asks("GET", "/api/record", None, {"authorization": f"Bearer {token}"}, refused=403)


def test_who_comes_back_while_another_is_asked_sees_whom_and_the_list(site: Site, sitting: Any) -> None:
    opened = site.opens(LEVEL, {"agent0": {"kind": "person"}, "agent1": {"kind": "person"}})
    ann, _ = (sitting(site, opened["seats"][seat]) for seat in ("agent0", "agent1"))
    until(lambda: ann.asked_to_move, ann.page, "the turn")
    options = ann.page.locator(".moves button.option")
    shown = options.count()
    first("", ann)
    expect(ann.page.get_by_role("heading", name="Waiting for agent1")).to_be_visible()
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="Waiting for agent1")).to_be_visible()
    assert options.count() == shown > 0


def test_a_seat_is_in_one_window_and_can_be_had_back(site: Site, sitting: Any) -> None:
    """Nothing is lost either way; a link that holds no more says what to do."""
    opened = site.opens(TEA, {"agent": {"kind": "person"}})
    token = opened["seats"]["agent"]
    ann = sitting(site, token)
    moves(ann, 1)
    other = sitting(site, token)
    until(lambda: other.asked_to_move, other.page, "the turn")
    expect(ann.page.get_by_role("alert")).to_have_text("The seat was opened in another window.")
    ann.page.get_by_role("button", name="Try again").click()
    until(lambda: ann.asked_to_move, ann.page, "the turn")
    expect(other.page.get_by_role("alert")).to_contain_text("another window")
    moves(ann, 1)
    stranger = sitting(site, "nonsense")
    expect(stranger.page.get_by_role("alert")).to_contain_text("ask whoever sent it for a new one")


def test_the_keyboard_goes_as_the_eye_does(site: Site, sitting: Any) -> None:
    """On a telephone: kitchen, moves, timeline, as they stand one under the other."""
    opened = site.opens(LEVEL, {"agent0": {"kind": "person"}})
    ann = sitting(site, opened["seats"]["agent0"], width=360)
    until(lambda: ann.asked_to_move, ann.page, "a move")
    met = []
    for _ in range(40):
        ann.page.keyboard.press("Tab")
        met.append(
            ann.page.evaluate("document.activeElement.closest('.stage, .moves, .lanes, header')?.className")
        )
    order = [name.split()[-1] for name in dict.fromkeys(name for name in met if name)]
    assert order == ["top", "stage", "moves", "lanes"]


def test_a_killed_server_goes_on_where_it_was(own_site: Site, sitting: Any) -> None:
    site = own_site
    opened = site.opens(LEVEL, {"agent0": {"kind": "person"}, "agent1": {"kind": "person"}})
    people = {seat: sitting(site, opened["seats"][seat]) for seat in ("agent0", "agent1")}
    ann, bob = people.values()
    tea = site.opens(TEA, {"agent": {"kind": "person"}})
    cyd = sitting(site, tea["seats"]["agent"])
    moves(cyd, 2)
    for _ in range(4):
        for somebody in (ann, bob):
            until(lambda s=somebody: s.asked_to_move, somebody.page, "a move")  # type: ignore[misc]
            first("", somebody)
        until(lambda: ann.asked_to_move and bob.asked_to_move, ann.page, "the next step")
    first("", ann)
    until(lambda: not ann.asked_to_move, ann.page, "the move")
    site.kill()
    expect(ann.page.get_by_text("The connection is lost")).to_be_visible()
    site.start()
    until(lambda: bob.asked_to_move, bob.page, "the turn after the kill")
    expect(ann.page.get_by_text("The connection is lost")).to_have_count(0, timeout=PATIENCE_SECONDS * 1000)
    assert not ann.asked_to_move, "what she decided before the kill holds"
    play(people, first)
    play({"agent": cyd}, first)
    for record in (site.record(opened["seats"]["agent0"]), site.record(tea["host"])):
        assert verify(episode_in(record, "the game")).finished


# --- what goes over the wire ----------------------------------------------------------------------------


def scenes(episode: Episode, view: str | None) -> list[Any]:
    """How the kitchen stood after each step, as somebody may know it."""
    world: Any = backburner.world(episode.header.id)
    states = [world.start(episode.header.seed), *(step.state for _, _, step in trajectory(episode, world))]
    return [json.loads(msgspec.json.encode(world.scene(state, view))) for state in states]


@pytest.mark.parametrize(
    ("id", "players"),
    [
        ("collab_overcooked/baked_bell_pepper", {"chef": "greedy", "assistant": ""}),
        ("cuisineworld/level_0@orders=hidden,seats=each,tau=1.5", {"agent0": "", "agent1": "greedy"}),
    ],
)
def test_a_seat_is_sent_its_own_view_and_nothing_else(
    site: Site, sitting: Any, id: str, players: dict[str, str]
) -> None:
    """A cook knows its own room; a dispatcher with hidden orders not what nobody has shown it; an onlooker,
    who may see everything, is sent more."""
    wanted = {
        seat: {"kind": "agent", "name": name} if name else {"kind": "person"}
        for seat, name in players.items()
    }
    opened = site.opens(id, wanted)
    (seat,) = opened["seats"]
    somebody, onlooker = sitting(site, opened["seats"][seat]), sitting(site, opened["watch"], "watch")
    play({seat: somebody}, first)
    until(lambda: onlooker.is_over, onlooker.page, "the end")
    episode = episode_in(site.record(opened["host"]), "the game")
    known, everything = scenes(episode, seat), scenes(episode, None)
    for who, view in ((somebody, known), (onlooker, everything)):
        for frame in who.messages("frame"):
            assert frame["scene"] == view[frame["number"]]
    secrets = [opened[name] for name in ("host", "watch")]
    told = "\n".join(somebody.heard)
    assert not [secret for secret in secrets if secret in told]
    if players.get("chef"):
        assert "Put bell_pepper into" not in told, "the recipe is the chef's"
    assert '"digest"' not in told and '"thoughts"' not in told and '"state":{' not in told
    assert json.loads(somebody.heard[0])["kind"] == "welcome"
