"""Demands on what is said to a seat and asked of it, on what is read from it, and on examples for prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from backburner.kernel import packs
from backburner.kernel.conformance.walk import Expect, Point, Walk
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.text import Kind, Text, joined
from backburner.kernel.values import Refusal, Seat, canonical_json, digest, writable

NASTY = (
    "", " ", "\n\n\t", "\x00\x01\x1b[2J\x7f", "\u202e\u200b\ufeff", "\ud800 and \udfff", "\\", "'\"`", "/*",
    "{", "}", "{0}", "{self}", "%s %d %n", "$(ls)", "<b>", "[", "]]", "(" * 10_000, "[" * 10_000,
    "1e999", "NaN", "null", "-1", "²", "①", "٣", "İ", "ǅ", "ﬁ",
    "烧开水，然后等一下。", "انتظر دقيقة", "🔥" * 50,
)  # fmt: skip
"""Signs that break careless readers. Some change their length in lower case, or are digits that
``int`` does not read; some are half of a pair; some nest deeper than any stack."""

MILLION = 1_000_000

KINDS = frozenset(get_args(Kind))


def parse_reads_any_text(at: Point, expect: Expect) -> None:
    """``parse`` never raises, and gives a refusal or a decision that can be written down."""
    for text in _texts(at):
        for seat in at.seats:
            found = at.world.parse(at.state, seat, text)
            kind = Refusal if isinstance(found, Refusal) else at.world.decision_type
            if text == writable(text):  # play hands on no other
                back = msgspec.json.decode(canonical_json(found), type=kind)
                expect.same(back, found, f"what {shorten(text)!r} is read as, written and read back")


def parse_charges_nothing(at: Point, expect: Expect) -> None:
    """Reading changes neither the state nor what happens next; reading again gives the same."""
    for seat in at.seats:
        for text in at.draw.sample(NASTY, 5):
            found = at.world.parse(at.state, seat, text)
            expect.same(at.world.parse(at.state, seat, text), found, f"{shorten(text)!r}, read twice")
    expect.same(digest(at.state), at.digest, "the state's digests before and after reading")
    expect.same(at.try_out(at.decisions), at.step, "the steps before and after reading")


def _texts(at: Point) -> list[str]:
    """Nasty texts, also mixed with the words of this world; at the very first point also a few huge ones."""
    words = [at.world.words(decision, seat) for seat in at.seats for decision in at.options(seat, most=3)]
    texts = at.draw.sample(NASTY, 8)
    for said in words:
        texts += [f"{said} {at.draw.choice(NASTY)}", said.replace(" ", at.draw.choice(NASTY)), said.upper()]
    if at.index == 0 and at.walk.number == 0:
        texts += [*NASTY, "x" * MILLION, " " * MILLION, "[" * MILLION, '{"a":' * (MILLION // 5)]
        texts += [f"{said} " * (MILLION // len(said) + 1) for said in words[:1]]
    return texts


def words_are_read_back(at: Point, expect: Expect) -> None:
    """``parse`` reads the words of a decision on the menu as this decision."""
    for seat in at.seats:
        for decision in at.options(seat):
            text = at.world.words(decision, seat)
            read = at.world.parse(at.state, seat, text)
            expect(read == decision, f"{shorten(text)!r}, the words of {decision!r}, are read as {read!r}")


def telling_needs_the_observation_alone(at: Point, expect: Expect) -> None:
    """Equal observations are told in equal words, whenever and to whomever."""
    for seat in at.seats:
        seen = at.world.observe(at.state, seat)
        text = at.world.describe(seen)
        expect(isinstance(text, str), f"describe gives a {type(text).__name__}")
        expect.same(at.world.describe(at.world.observe(at.restored, seat)), text, "the texts of equal states")
        try:
            before = at.walk.survey.told.setdefault(seen, text)
        except TypeError:
            expect.cannot("observations have no hash; texts were compared at the same point only")
        else:
            expect.same(before, text, f"the texts of two equal observations ({shorten(repr(seen))})")


def parts_make_the_whole(at: Point, expect: Expect) -> None:
    """The parts of a description, put together as they stand, are the description, and of known kinds."""
    for seat in at.seats:
        seen = at.world.observe(at.state, seat)
        parts = at.world.description_parts(seen)
        expect.same(joined(parts), at.world.describe(seen), f"the parts of what {seat} is told and all of it")
        known = all(part.kind in KINDS and isinstance(part.text, str) for part in parts)
        expect(known, f"a part of what {seat} is told is of no known kind: {parts}")


def questions_need_the_observation_alone(at: Point, expect: Expect) -> None:
    """Equal observations bring the same question, which has a purpose and at least one part."""
    for seat in at.seats:
        asked = at.world.question(at.world.observe(at.state, seat))
        again = at.world.question(at.world.observe(at.restored, seat))
        expect.same(again, asked, f"what {seat} is asked for in equal states")
        fits = asked is None or bool(asked.purpose and asked.parts >= 1)
        expect(fits, f"{seat} is asked for nothing: {asked}")


def plans_are_read_from_any_text(at: Point, expect: Expect) -> None:
    """``answers_in`` never raises and gives texts; written one below the other they are the same plan."""
    for text in (*at.draw.sample(NASTY, 5), *_texts(at)[:5]):
        answers = at.world.answers_in(text)
        known = isinstance(answers, tuple) and all(isinstance(answer, str) for answer in answers)
        expect(known, f"the answers in {shorten(text)!r} are {shorten(repr(answers))}")
    expect.same(at.world.answers_in(""), (), "the answers in a plan of nothing, and none")


def a_plan_of_one_decision_is_that_decision(at: Point, expect: Expect) -> None:
    """Where plans are written at all, the words of a decision are a plan of it, or hold no plan."""
    writable = bool(at.world.plan_form)
    for seat in at.seats:
        for decision in at.options(seat, most=5):
            words = at.world.words(decision, seat)
            answers = at.world.answers_in(words)
            expect(writable or not answers, f"nobody can write a plan, and {words!r} holds {answers}")
            if not answers:
                expect.cannot("some decisions are no plan" if writable else "nobody can write a plan")
                continue
            read = [at.world.parse(at.state, seat, answer) for answer in answers]
            expect(read == [decision], f"the plan {shorten(words)!r} is read as {read}")
            again = at.world.answers_in("\n\n".join(answers))
            expect.same(again, answers, "a plan written again, and the plan")


def typed_lines_are_answers(at: Point, expect: Expect) -> None:
    """Any line can be typed, and gives a text; the words of a decision, if they are one line, give it."""
    for seat in at.seats:
        for line in at.draw.sample(NASTY, 5):
            expect(isinstance(at.world.typed(line, seat), str), f"{shorten(line)!r}, typed, is no text")
        for decision in at.options(seat, most=5):
            words = at.world.words(decision, seat)
            if "\n" not in words:
                read = at.world.parse(at.state, seat, at.world.typed(words, seat))
                expect(read == decision, f"{shorten(words)!r}, typed, is read as {read!r}")


def briefings_never_change(walk: Walk, expect: Expect) -> None:
    """What a seat is told before play depends on the scenario alone, not on seed or course."""
    for seat in walk.world.seats:
        text = walk.world.briefing(seat)
        expect(isinstance(text, str) and bool(text), f"the briefing of {seat} is {text!r}")
        expect.same(walk.survey.briefings.setdefault(seat, text), text, f"two briefings of {seat}")
        parts = walk.world.briefing_parts(seat)
        expect.same(joined(parts), text, f"the parts of the briefing of {seat} and all of it")
        expect(all(part.kind in KINDS for part in parts), f"a part of it is of no known kind: {parts}")


# --- examples -------------------------------------------------------------------------------------------

Shown = tuple[World[Any, Any, Any], Seat]


def demonstrations_are_of_other_scenarios(walk: Walk, expect: Expect) -> None:
    """Another scenario under the same rules, the same one when asked again, looked at from a seat of it."""
    for seat in walk.world.seats:
        for single in (False, True):
            shown = _demonstration(walk.world, seat, single)
            if shown is None:
                expect.cannot("the world shows no play")
                continue
            world, looks_from = shown
            expect(isinstance(world, World), f"the demonstration for {seat} is no World")
            expect(digest(world.scenario) != digest(walk.world.scenario), "the world demonstrates itself")
            expect.same(world.rules, walk.world.rules, "the rules of the demonstration and of the world")
            expect(looks_from in world.seats, f"{looks_from!r} is no seat of the demonstration")
            again = _demonstration(walk.world, seat, single)
            expect(again is not None and _named(again) == _named(shown), "asked twice, another one is shown")


def demonstrations_come_to_an_end(walk: Walk, expect: Expect) -> None:
    """Played by whoever the world's pack names for that, a demonstration ends of itself."""
    pack = packs.pack_of(walk.world)
    path = pack.demonstrator or (pack.agents["greedy"].path if "greedy" in pack.agents else "")
    shown = _demonstration(walk.world, walk.world.seats[0], single=False)
    if not path or shown is None:
        expect.cannot("nobody is named who plays a demonstration")
        return
    demonstrator: Policy = packs.part(pack.name, path)(shown[0])
    ending = play_now(shown[0], demonstrator, max_steps=walk.survey.max_steps).ending
    expect(ending is not None and ending.status == "ended", f"played for {walk.world.id} it ends as {ending}")


def worked_plans_are_read(walk: Walk, expect: Expect) -> None:
    """A worked plan has a task and a plan, whose answers can be read where its scenario is played."""
    for single in (False, True):
        try:
            worked = walk.world.worked_plan(single)
        except Refused:
            expect.cannot("the world has no worked plan")
            continue
        expect.same(walk.world.worked_plan(single), worked, "worked plans, asked twice")
        expect(bool(worked.task.strip() and worked.plan.strip()), f"{worked} lacks its task or plan")
        shown = _demonstration(walk.world, walk.world.seats[0], single)
        where, seat = shown or (walk.world, walk.world.seats[0])
        for text, answer in _read(where, seat, worked.plan):
            expect(not isinstance(answer, Refusal), f"{text!r} of the worked plan is read as {answer}")


def _read(world: World[Any, Any, Any], seat: Seat, plan: str) -> Iterator[tuple[str, Any]]:
    """Each answer of a plan, and what it is read as; the plan itself if no answer is found in it."""
    start = world.start()
    if isinstance(world, Text):
        for text in world.answers_in(plan) or (plan,):
            yield text, world.parse(start, seat, text)


def _demonstration(world: Any, seat: Seat, single: bool) -> Shown | None:
    try:
        shown: Shown = world.demonstration(seat, single=single)
    except Refused:
        return None
    return shown


def _named(shown: Shown) -> tuple[str, str, Seat]:
    world, seat = shown
    return world.id, digest((world.scenario, world.rules, world.limits)), seat
