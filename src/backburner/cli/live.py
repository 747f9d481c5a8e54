"""``live``: bots play on a real Minecraft server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from backburner.agents.roster import make_policies
from backburner.cli.agents import AGENTS, NOTHING_SAID, Asked, asking, let_own_agents_be_found
from backburner.cli.common import JsonOption, LimitsOption, RulesOption, out, print_json, remark
from backburner.evaluation.jobs import RECORD
from backburner.kernel import registry
from backburner.kernel.episode import Entry, Episode, EpisodeFile, Record, read_episode
from backburner.kernel.errors import BackburnerError, Refused, shorten
from backburner.kernel.play import SAFETY_CAP, play
from backburner.kernel.policy import Policy
from backburner.kernel.replay import world_of
from backburner.kernel.values import Seat
from backburner.live.agreement import compared
from backburner.live.crew import joined, told_change
from backburner.live.install import Setup, find, install
from backburner.live.messages import Cell, Change, Join
from backburner.live.stage import Stage, stage_of

MOST_TOLD = 40
"""Changes of blocks that are told one by one; the others are counted."""

IN_VAIN = " (in vain)"


class Game(NamedTuple):
    """What is played: the scenario on a server, who plays every seat but the server's, the seed, how many
    steps at the most."""

    stage: Stage
    policies: Mapping[Seat, Policy]
    seed: int
    steps: int | None


class Place(NamedTuple):
    """Where it is played: Node's setup and clock, the server, the farm's corner, whether the changes are
    agreed to."""

    setup: Setup
    clock: float
    join: Join
    corner: Cell | None
    agreed: bool


@asking
def live(
    what: Annotated[
        str | None, typer.Argument(help="A scenario, or a record (*.jsonl) whose decisions are carried out.")
    ] = None,
    server: Annotated[str, typer.Option("--server", help="HOST:PORT of a Minecraft server.")] = "",
    agent: Annotated[str, typer.Option("--agent", help=f"Who plays a scenario. {AGENTS}")] = "greedy",
    asked: Asked = NOTHING_SAID,
    rules: RulesOption = "standard",
    limits: LimitsOption = "article",
    seed: Annotated[int, typer.Option("--seed", help="Chance in play.")] = 0,
    corner: Annotated[
        str, typer.Option("--corner", help="X,Y,Z of the farm's lowest corner; else around the first bot.")
    ] = "",
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="So many steps only.")] = None,
    auth: Annotated[str, typer.Option("--auth", help="offline, or microsoft for accounts.")] = "offline",
    yes: Annotated[bool, typer.Option("--yes", help="Make the changes without asking.")] = False,
    node_folder: Annotated[
        Path | None, typer.Option("--node-folder", help="Where Node's packages are; else in your cache.")
    ] = None,
    install_first: Annotated[
        bool, typer.Option("--install", help="Get Node's packages with npm, about 500 MB.")
    ] = False,
    clock: Annotated[
        float, typer.Option("--clock", min=0.1, max=50, help="For servers whose time goes faster: how much.")
    ] = 1.0,
    record: Annotated[Path | None, typer.Option("--out", help="Where to write the record.")] = None,
    json: JsonOption = False,
) -> None:
    """Play on a real Minecraft server: bots carry out what is decided, and what is seen there is the state.

    The record is an ordinary one. It tells what had been predicted otherwise, and replays without the server.
    What would be changed on the server is listed and asked for first, stays inside one area, and is put back
    at the end.
    """
    setup = install(node_folder, remark) if install_first else None
    if what is None:
        if not install_first:
            raise Refused("name a scenario or a record, or ask for --install")
        return
    host, port = _address(server)
    setup = setup or find(node_folder)
    game = _game(what, agent, asked, rules, limits, seed, steps)
    path = record or Path("plays") / f"live-{game.stage.world.id.replace('/', '-')}{RECORD}"
    if path.exists():
        raise Refused(f"{path} exists; name another file with --out")
    bots = game.stage.bots
    join = Join(host=host, port=port, bots=bots, auth="microsoft" if auth == "microsoft" else "offline")
    place = Place(setup, clock, join, _cell(corner) if corner else None, yes)
    try:
        episode = asyncio.run(_played(game, place, path))
    finally:
        if path.exists():
            remark(f"record: {path}")
    seen = list(compared(episode, game.stage))
    if json:
        rows = [(each.step, each.agrees, each.seen, each.differs) for each in seen]
        print_json([dict(zip(("step", "agrees", "chest", "differs"), row, strict=True)) for row in rows])
    if episode.ending and episode.ending.status == "failed":
        raise BackburnerError(episode.ending.error)
    if differing := [each.step for each in seen if not each.agrees]:
        remark(f"the chest differs from what was predicted after steps {', '.join(map(str, differing))}")
        raise typer.Exit(1)


def _game(what: str, agent: str, asked: Asked, rules: str, limits: str, seed: int, steps: int | None) -> Game:
    """A scenario that an agent plays, or a record, whose decisions are carried out as far as they go."""
    let_own_agents_be_found()
    if not what.endswith(RECORD):
        stage = stage_of(registry.world(what, rules=rules, limits=limits))
        return Game(stage, make_policies(asked.specs([agent])[0], stage.text, asked.client), seed, steps)
    episode = read_episode(what)
    stage = stage_of(world_of(episode))
    policies = make_policies(asked.specs([f"replay:{what}"])[0], stage.text)
    recorded = min(sum(seat in entry.answers for entry in episode.entries) for seat in stage.text.seats)
    return Game(stage, policies, episode.header.seed, recorded if steps is None else min(steps, recorded))


def _address(server: str) -> tuple[str, int]:
    host, colon, port = server.rpartition(":")
    if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise Refused(f"--server {shorten(server)!r} is no HOST:PORT, such as localhost:25565")
    return host.strip("[]"), int(port)


def _cell(written: str) -> Cell:
    try:
        x, y, z = (int(part) for part in written.split(","))
    except ValueError:
        raise Refused(f"--corner {shorten(written)!r} is no X,Y,Z, such as 100,64,-20") from None
    return x, y, z


async def _played(game: Game, place: Place, path: Path) -> Episode:
    """The episode; its record is finished before anything is put back, however play ends."""
    stage = game.stage
    async with joined(place.setup, place.join, place.clock, remark) as crew:
        corner = place.corner or await crew.around(stage)
        _tell_changes(await crew.changes(stage, corner))
        if not place.agreed:
            _confirm()
        async with crew.on(stage, corner) as player:
            with EpisodeFile(path) as file:
                teller = _Teller(stage, file)
                most = SAFETY_CAP if game.steps is None else game.steps * stage.phases
                policies = {**game.policies, stage.seat: player}
                try:
                    return await play(
                        stage.world, policies, game.seed, sink=teller.hear, watch=teller.tell, max_steps=most
                    )
                finally:
                    file.finish()


def _tell_changes(changes: Sequence[Change]) -> None:
    """What would be changed, a line each."""
    remark("on the server this would be changed, and put back at the end:")
    for change in changes[:MOST_TOLD]:
        remark(f"  {told_change(change)}")
    if len(changes) > MOST_TOLD:
        remark(f"  and {len(changes) - MOST_TOLD} more")


def _confirm() -> None:
    """Somebody at a terminal agrees; raises ``Refused`` where nobody can, or does not."""
    if not sys.stdin.isatty():
        raise Refused("nothing was changed: nobody can be asked here; agree with --yes")
    if not typer.confirm("Make these changes?", err=True):
        raise Refused("nothing was changed")


class _Teller:
    """Keeps each part of the record, and tells each step that was seen: calls, chest, what differs."""

    def __init__(self, stage: Stage, file: EpisodeFile) -> None:
        self._stage, self._file = stage, file
        self._last: Entry | None = None
        self._steps = 0

    def hear(self, record: Record) -> None:
        """A part of the record."""
        self._file.write(record)
        self._last = record if isinstance(record, Entry) else None

    def tell(self, state: Any) -> None:
        """The state after it."""
        entry, stage = self._last, self._stage
        if entry is None or stage.seat not in entry.answers:
            return
        self._steps += 1
        began = [event for event in entry.events if event.what == "start" and event.lane in stage.bots]
        calls = (f"{event.lane} {event.label}{IN_VAIN * (event.kind == 'refused')}" for event in began)
        held = ", ".join(f"{count} {item}" for item, count in stage.chest(state).items())
        line = f"{self._steps}: {'; '.join(calls) or 'nobody does anything'}; chest: {held or 'nothing'}"
        differs = [f"   {event.label}" for event in entry.events if event.kind == "differs"]
        for each in (line, *differs):
            out.print(each, highlight=False, markup=False, soft_wrap=True)
