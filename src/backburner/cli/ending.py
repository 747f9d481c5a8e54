"""The end of a play at the terminal: the lesson in a screen, and to play again from a step of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

from backburner.agents.person.policy import Sight
from backburner.agents.person.sitting import UNDO, Sitting
from backburner.cli.console import err, out, picture_width, remark, say
from backburner.cli.terminal import Screen
from backburner.drawing.timeline import timelines_text
from backburner.drawing.timeline.chart import BODIES
from backburner.evaluation.transcripts.lesson import Lesson, lesson_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, amount, number, one_line
from backburner.kernel.replay import world_of
from backburner.kernel.text import Glance
from backburner.kernel.view import draws

WHO = {"you": "you", "best": "the best known", "greedy": "greedy"}
AGAIN = "again"

HOW = """\
again      play again from there       again 5    from step 5, with all before as it was
undo       take the last decision back Enter      that was it"""


def tell_lesson(episode: Episode) -> Lesson | None:
    """How good the play was, timelines, and what cost the most; nothing where the person would rather stop
    than wait for it."""
    if err.is_terminal:
        remark("looking for what was possible (Ctrl-C skips that) ...")
    with suppress(KeyboardInterrupt):
        lesson = lesson_of(episode)
        say(lesson.headline())
        plays = [(f"{_who(each.who, lesson)}:", each.events) for each in lesson.plays if each.events]
        bodies = (*BODIES, *episode.header.players, *_standing(episode))
        if plays:
            out.print(timelines_text(plays, unit=lesson.time_unit, width=picture_width(), bodies=bodies))
        say(*costliest(lesson))
        return lesson
    return None


def _who(who: str, lesson: Lesson) -> str:
    return "the best" if who == "best" and lesson.proven else WHO[who]


def _standing(episode: Episode) -> Iterator[str]:
    world = world_of(episode)
    start = world.start(episode.header.seed)
    if draws(world):
        yield from (body.name for body in world.scene(start).bodies)


def costliest(lesson: Lesson) -> Iterator[str]:
    """The moment that cost the most, in a line or two."""
    moment = lesson.costliest
    if moment is None:
        return
    steps = f"step {moment.step}" if moment.last == moment.step else f"steps {moment.step} to {moment.last}"
    when = f"{lesson.time_unit.removesuffix('s')} {number(moment.time)} ({steps})"
    lost = "after that not everything could be done any more"
    if moment.cost is not None:
        cost = amount(moment.cost, lesson.unit.removesuffix(" served"))
        lost = f"about {cost}" if moment.estimated else cost
    yield f"What cost the most: {one_line(moment.did)} at {when}: {lost}."
    if moment.better:
        yield f"Better: {one_line(moment.better)}."


def again(screen: Screen, sitting: Sitting, lesson: Lesson | None, steps: int) -> str:
    """What was taken back of the play that is over, so that it goes on from there; empty if it does not.

    Only somebody at a terminal is asked.
    """
    worst = lesson.costliest.step if lesson is not None and lesson.costliest is not None else 0
    if not screen.interactive:
        return ""
    say(HOW if worst else HOW.replace("from there", "all of it"))
    with suppress(KeyboardInterrupt, EOFError):
        while words := asyncio.run(screen.ask("> ", _NOTHING)).split():
            try:
                return _taken_back(words, sitting, worst, steps)
            except Refused as error:
                say(str(error))
    return ""


_NOTHING = Sight("", Glance(), ())


def _taken_back(words: Sequence[str], sitting: Sitting, worst: int, steps: int) -> str:
    """Raises ``Refused`` for what cannot be taken back, or cannot be understood."""
    word, *counts = words
    count = counts[0] if counts else ""
    if word not in (AGAIN, UNDO) or len(counts) > 1 or (count and not (count.isascii() and count.isdigit())):
        raise Refused(HOW)
    if word == UNDO:
        return sitting.take_back(sitting.leave(int(count[:9] or 1)).count)
    step = int(count[:9]) if count else worst
    if step >= steps:
        raise Refused(f"there are steps 0 to {steps - 1}")
    return sitting.back_to(step)
