"""Demands on what is said to a seat and read from it."""

from __future__ import annotations

import msgspec

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point, Walk
from backburner.kernel.digest import canonical_json, digest
from backburner.kernel.errors import shorten
from backburner.kernel.play import writable
from backburner.kernel.text import Text
from backburner.kernel.values import Refusal
from backburner.kernel.view import View

NASTY = (
    "", " ", "\n\n\t", "\x00\x01\x1b[2J\x7f", "\u202e\u200b\ufeff", "\ud800 and \udfff", "\\", "'\"`", "/*",
    "{", "}", "{0}", "{self}", "%s %d %n", "$(ls)", "<b>", "[", "]]", "(" * 10_000, "[" * 10_000,
    "1e999", "NaN", "null", "-1", "²", "①", "٣", "İ", "ǅ", "ﬁ",
    "烧开水，然后等一下。", "انتظر دقيقة", "🔥" * 50,
)  # fmt: skip
"""Signs that break careless readers. Some change their length in lower case, or are digits that
``int`` does not read; some are half of a pair; some nest deeper than any stack."""

MILLION = 1_000_000


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
    words = [at.world.words(decision) for seat in at.seats for decision in at.options(seat, most=3)]
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
            text = at.world.words(decision)
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


def briefings_never_change(walk: Walk, expect: Expect) -> None:
    """What a seat is told before play depends on the scenario alone, not on seed or course."""
    for seat in walk.world.seats:
        text = walk.world.briefing(seat)
        expect(isinstance(text, str) and bool(text), f"the briefing of {seat} is {text!r}")
        expect.same(walk.survey.briefings.setdefault(seat, text), text, f"two briefings of {seat}")


def hidden_facts_stay_hidden(at: Point, expect: Expect) -> None:
    """In states that differ only in what a seat may not know, it sees, is told and is offered the same."""
    world = at.world
    for seat in at.seats:
        for variant in at.walk.survey.hidden_variants(at.state, seat):
            expect(variant != at.state, f"a hidden variant for {seat} is the state itself")
            expect(seat in world.deciders(variant), f"{seat} decides in the state and not in its variant")
            seen, instead = world.observe(at.state, seat), world.observe(variant, seat)
            expect.same(instead, seen, f"what {seat} observes, whatever is hidden from it")
            if at.menus:
                menu = world.menu(variant, seat)
                expect.same(menu, at.menus[seat], f"the menu of {seat}, whatever is hidden from it")
            if isinstance(world, Text):
                told = world.describe(instead)
                expect.same(told, world.describe(seen), f"what {seat} is told, whatever is hidden from it")
            if isinstance(world, View):
                shown = world.scene(variant, seat)
                scene = world.scene(at.state, seat)
                expect.same(shown, scene, f"what {seat} is shown, whatever is hidden from it")
