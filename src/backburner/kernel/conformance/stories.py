"""Demands on whole episodes: their events, their end, their records, and what metrics say of them."""

from __future__ import annotations

import copy
import random
import tempfile
from math import inf, isfinite
from pathlib import Path
from typing import Any, get_args

import msgspec

from backburner.kernel.assessment import Assessment, WindowState
from backburner.kernel.claims import check
from backburner.kernel.conformance.texts import NASTY
from backburner.kernel.conformance.walk import UNREAD, Expect, Point, Walk
from backburner.kernel.episode import Episode, EpisodeFile, encode_line, read_episode
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.menu import Menus
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlainPolicy, Reply, Turn
from backburner.kernel.text import Text
from backburner.kernel.values import Event, Refusal

SECTIONS = {"start": "opens", "resume": "opens", "pause": "closes", "end": "closes"}


def _events(walk: Walk) -> list[tuple[str, Event]]:
    return [(name, event) for name, step in walk.steps for event in step.events]


def times_never_go_back(walk: Walk, expect: Expect) -> None:
    """The times of events rise or stay, within a step and from step to step."""
    now = -inf
    for name, event in _events(walk):
        expect(now <= event.time < inf, f"{name}: {event} comes after time {now}")
        now = event.time


def activities_open_before_they_close(walk: Walk, expect: Expect) -> None:
    """A start or resume has a lane and a key; an end or pause closes one that is open."""
    open_keys: set[str] = set()
    for name, event in _events(walk):
        match SECTIONS.get(event.what):
            case "opens":
                expect(bool(event.lane and event.key), f"{name}: {event} lacks its lane or key")
                expect(event.key not in open_keys, f"{name}: {event} opens what is open already")
                open_keys.add(event.key)
            case "closes":
                expect(bool(event.lane), f"{name}: {event} lacks its lane")
                expect(event.key in open_keys, f"{name}: {event} closes what is not open")
                open_keys.remove(event.key)


def keys_belong_to_one_activity(walk: Walk, expect: Expect) -> None:
    """A key is started once; a resume bears the key of something that is paused."""
    started: set[str] = set()
    paused: set[str] = set()
    for name, event in _events(walk):
        if event.what == "start":
            expect(event.key not in started, f"{name}: {event} has the key of an earlier activity")
            started.add(event.key)
        elif event.what == "resume":
            expect(event.key in paused, f"{name}: {event} resumes what is not paused")
            paused.discard(event.key)
        elif event.what == "pause":
            paused.add(event.key)


def what_is_over_stays_as_it_is(walk: Walk, expect: Expect) -> None:
    """Stepping a finished state gives it back, with no event and no refusal."""
    if walk.end.seats:
        expect.cannot("an episode did not come to its end; raise max_steps")
        return
    over = walk.end.state
    for decision in (None, UNREAD, *walk.survey.decisions.values())[:20]:
        for decisions in ({}, dict.fromkeys(walk.world.seats, decision)):
            step = walk.world.step(over, decisions)
            expect.same(step.state, over, "a finished state before and after a step")
            expect(not step.events and not step.refusals, f"a step after the end gives {step}")


def a_world_remembers_nothing(walk: Walk, expect: Expect) -> None:
    """Every step gives the same again, in any order, also in a copy that has not been played on."""
    expect.same(walk.world.start(walk.seed), walk.first, "the first state, at the start and at the end")
    worlds = [walk.world]
    if walk.survey.untouched is None:
        expect.cannot("the world cannot be copied; it was compared with itself only")
    else:
        worlds.append(copy.deepcopy(walk.survey.untouched))
    for world in worlds:
        for point in reversed(walk.points[:-1]):
            again = world.step(point.restored, dict(point.decisions))
            expect.same(again, point.step, f"step {point.index}, made again later")


class _Wanderer(PlainPolicy):
    """Draws from the menu, and now and then answers something that cannot be read."""

    name = "wanderer"

    def __init__(self, world: Any) -> None:
        self._lists, self._reads = isinstance(world, Menus), isinstance(world, Text)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        draw = random.Random(f"{turn.seed}/{turn.seat}/{turn.index}")
        if self._lists and draw.random() < 0.8:
            return Reply(draw.choice(turn.menu.options).decision)
        if self._reads and draw.random() < 0.8:
            return Reply(f"{turn.text} \ud800 {draw.random()}")
        return Reply(draw.choice([UNREAD, 7, {"of": ["another", "type"]}]))


def wandered(walk: Walk) -> Episode:
    """The record of an episode in which everybody wanders."""
    return play_now(walk.world, _Wanderer(walk.world), walk.seed, max_steps=walk.survey.max_steps)


def records_replay(walk: Walk, expect: Expect) -> None:
    """An episode, written line by line and read back, is the same and replays to the same digests."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "episode.jsonl"
        with EpisodeFile(path) as file:
            most, wanderer = walk.survey.max_steps, _Wanderer(walk.world)
            played = play_now(walk.world, wanderer, walk.seed, sink=file.write, max_steps=most)
            file.finish()
        read = read_episode(path)
    for one, other in zip(_plain(played), _plain(read), strict=True):
        expect(one == other, f"a line reads {one}, and after being read back {other}")
    expect(check(read, walk.world) == len(played.entries), "steps are missing")


def _plain(episode: Episode) -> list[Any]:
    """The lines of a record as plain JSON values."""
    return [msgspec.json.decode(encode_line(record)) for record in episode.records()]


# --- what metrics say of decisions, of plans, and of being in time --------------------------------------

ROWS: tuple[list[Any], ...] = ([], [[]], [None], [[1, "a"]], ["no", "rows"], [{"a": 1}], [[-1, "", -1, -1]])
"""What stands for a plan as JSON and hardly is one."""

SELDOM = 0.2
"""The share of decision points at which decisions are judged: metrics may go through all that came before."""


def judgements_are_the_same_every_time(at: Point, expect: Expect) -> None:
    """A decision is judged by the same criteria every time, with scores that can be written down."""
    worth = _assessment(at.walk).worth
    if worth is None:
        expect.cannot("the assessment judges no decisions")
        return
    if at.draw.random() > SELDOM:
        return
    past = [(point.state, dict(point.decisions)) for point in at.walk.points[:-1]]
    for seat in at.seats:
        criteria = None
        for decision in (UNREAD, *at.options(seat, most=3)):
            try:
                judged = tuple(worth(past, at.state, seat, decision))
            except Refused:
                expect.cannot("the scenario has nothing to compare with")
                return
            again = tuple(worth(past, at.state, seat, decision))
            expect.same(again, judged, f"judgements of {shorten(repr(decision))}, asked twice")
            expect(all(isfinite(one.score) for one in judged), f"a score of {judged} is not finite")
            named = [one.criterion for one in judged]
            expect(criteria in (None, named), f"criteria {criteria}, and then {named}")
            criteria = named


def critics_read_any_plan(walk: Walk, expect: Expect) -> None:
    """Texts, rows and records are criticised or refused; nothing else than rows raises."""
    critics = _assessment(walk).critics
    if critics is None:
        expect.cannot("the assessment has no critics")
        return
    plans: list[Any] = [*walk.draw.sample(NASTY, 5), *ROWS, wandered(walk)]
    plans += [walk.world.words(decision) for decision in list(walk.survey.decisions.values())[:5]]
    for plan in plans:
        what = shorten(repr(plan))
        try:
            said, decision = critics.criticise(plan), critics.as_decision(plan)
        except msgspec.ValidationError:
            expect(isinstance(plan, list), f"{what}, no rows, is not valid")
            continue
        expect(not (isinstance(plan, list) and isinstance(said, Refusal)), f"{what}, rows, are refused")
        expect(isinstance(said, Refusal) == isinstance(decision, Refusal), f"{what}: {said}, and {decision}")
        if isinstance(said, Refusal):
            continue
        expect.same(critics.criticise(plan), said, f"what is said of {what}, asked twice")
        expect(bool(critics.moment(said.finish)), f"the finish of {what} has no words")
        for violation in said.violations:
            expect(bool(violation.family and critics.complaint(violation)), f"{violation} has no words")


def windows_open_before_they_close(walk: Walk, expect: Expect) -> None:
    """A record's windows come by when they open; what was wanted happened within those that were kept."""
    windows = _assessment(walk).windows
    if windows is None:
        expect.cannot("the assessment has no windows")
        return
    episode = wandered(walk)
    found = windows(episode)
    expect.same(windows(episode), found, "the windows of a record, asked twice")
    last = -inf
    for window in found:
        expect(last <= window.opens <= window.closes < inf, f"{window} opens before the last, or too late")
        last = window.opens
        expect(bool(window.lane) and window.state in get_args(WindowState), f"{window} lacks lane or state")
        if window.state == "kept":
            met = window.met
            expect(met is not None and met <= window.closes, f"{window} was kept, and met at {met}")


def _assessment(walk: Walk) -> Assessment:
    found: Assessment = walk.survey.assessment
    return found
