"""What a world says so that it can be played on a live server, and what was seen there in its terms.

A ``Stage`` is a scenario on a server: its farm, its decisions as calls of bots, and what was seen as the
decision of the seat that reports it. ``ground_of`` makes ground of a survey; ``compared`` tells whether a
record of a server and the rules agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, one_line
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.reported import LONGEST_NAME, LONGEST_SOURCE, Ground, Other
from backburner.kernel.values import Seat
from backburner.live.messages import Act, Acted, Being, Cell, Observation, Prepare, Surveyed


class Stage(Protocol):
    """A scenario on a server; the part ``live`` of a pack makes it of a world, with that seat or without it.

    ``world``: the one in which is played, with a ``seat`` that reports what was seen; ``text``: the same
    without it. ``speaker``: the seat whose words persons there may say in the chat; empty if there is none.
    ``as_predicted``: that seat's decision where nothing was seen. ``phases``: how many decision
    points a step has, that one included. ``bots``: the names of its bodies, the first of which commands.
    ``kinds``: of the blocks and mobs that are looked for. ``game``: the name under which records keep the
    server's version.
    """

    @property
    def world(self) -> World[Any, Any, Any]: ...

    @property
    def text(self) -> World[Any, Any, Any]: ...

    @property
    def seat(self) -> Seat: ...

    @property
    def speaker(self) -> Seat: ...

    @property
    def as_predicted(self) -> Any: ...

    @property
    def phases(self) -> int: ...

    @property
    def bots(self) -> tuple[str, ...]: ...

    @property
    def game(self) -> str: ...

    @property
    def kinds(self) -> tuple[str, ...]: ...

    def farm(self, corner: Cell) -> Prepare:
        """What is built, as a dry run; ``corner``: the lowest one of its area, at the height of the feet."""

    def act(self, state: Any) -> Act:
        """What bots do, in a state in which the seat has to report."""

    def report(
        self,
        state: Any,
        acted: Acted,
        seen: Observation,
        corner: Cell,
        surveyed: Surveyed | None = None,
        waited: int = 0,
    ) -> Any:
        """The seat's decision: what bots did in that state, and what was seen after it, the ground with it if
        it was surveyed and is no longer as it was told. ``waited``: the ticks before it in which others
        decided."""

    def begun(self, state: Any, decision: Any) -> Any:
        """The state in which the step began of which the seat reports with this decision: that in which it
        reports, after the ticks in which others decided."""

    def instruction(self, said: Sequence[tuple[str, str]]) -> Any:
        """The decision of ``speaker``, of the lines that persons have said, each with who said it."""

    def chest(self, state: Any) -> dict[str, int]:
        """What is in the chest in a state of the world."""

    def drops(self, seed: int) -> Mapping[str, Sequence[Mapping[str, int]]]:
        """What the first, the second ... mob of each kind drops that is killed in an episode of the text with
        this seed: for a server that can be told."""


def stage_of(world: World[Any, Any, Any]) -> Stage:
    """The stage of a world; raises ``Refused`` where its world cannot be played live."""
    offered = packs.pack_of(world)
    if not offered.live:
        raise Refused(f"{world.id} cannot be played on a live server: its world does not say how")
    made: Stage = packs.part(offered.name, offered.live)(world)
    return made


def ground_of(
    seen: Surveyed, shift: tuple[int, int], *, known: Callable[[str, tuple[int, int]], bool]
) -> Ground | None:
    """The ground; ``None`` where what was seen is none.

    ``shift``: what is taken from the server's x and z to come to the world's. ``known`` tells of a mob of a
    kind on a cell of the world whether the world has it there itself; bots it has anyhow.
    """
    west, north = shift

    def other(being: Being) -> Other:
        at = (round(being.at[0] - west, 2), round(being.at[2] - north, 2))
        return Other(one_line(being.kind)[:LONGEST_NAME], at, one_line(being.name)[:LONGEST_NAME])

    try:
        others = (other(being) for being in seen.beings if not being.bot)
        return Ground(
            (seen.corner[0] - west, seen.corner[1] - north),
            *seen.size,
            tuple(one_line(kind)[:LONGEST_NAME] for kind in seen.kinds),
            seen.runs,
            tuple(each for each in others if each.name or not known(each.kind, _cell(each.at))),
            one_line(", ".join(filter(None, (seen.server, f"Minecraft {seen.version}"))))[:LONGEST_SOURCE],
        )
    except ValueError:
        return None


def _cell(at: tuple[float, float]) -> tuple[int, int]:
    return int(at[0] // 1), int(at[1] // 1)


class Compared(Struct, frozen=True):
    """A step, counted from 1: what was in the chest after it, what was predicted, and all that differs."""

    step: int
    seen: dict[str, int]
    predicted: dict[str, int]
    differs: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the chest holds what was predicted."""
        return self.seen == self.predicted


def compared(episode: Episode, stage: Stage) -> Iterator[Compared]:
    """Each step of a record that was seen on a server."""
    number = 0
    for state, entry, step in trajectory(episode, stage.world):
        if stage.seat not in entry.answers:
            continue
        number += 1
        begun = stage.begun(state, decisions_in(stage.world, entry)[stage.seat])
        predicted = stage.world.step(begun, {stage.seat: stage.as_predicted}).state
        differs = tuple(event.label for event in step.events if event.kind == "differs")
        yield Compared(number, stage.chest(step.state), stage.chest(predicted), differs)
