"""``live``: bots carry out a play on a real Minecraft server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from backburner.agents.roster import make_policies
from backburner.cli.agents import AGENTS, NOTHING_SAID, Asked, asking, let_own_agents_be_found
from backburner.cli.common import JsonOption, LimitsOption, RulesOption, out, print_json, remark
from backburner.evaluation.jobs import RECORD
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode, read_episode, write_episode
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.live.following import Observed, changes_for, follow, write_observed
from backburner.live.install import Setup, find, install
from backburner.live.messages import Cell, Change, Join, Joined, Observation, Observe
from backburner.live.stage import Stage, stage_of
from backburner.live.worker import Worker

MOST_TOLD = 40
"""Changes of blocks that are told one by one; the others are counted."""

SECONDS_TO_JOIN = 120.0


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
    """Bots carry out a play on a real Minecraft server.

    After each step the chest is compared with that of the text world after the same decisions. What would be
    changed on the server is listed and asked for first, stays inside one area, and is put back at the end.
    The record replays without the server; what was observed stands beside it.
    """
    setup = install(node_folder, remark) if install_first else None
    if what is None:
        if not install_first:
            raise Refused("name a scenario or a record, or ask for --install")
        return
    host, port = _address(server)
    setup = setup or find(node_folder)
    world, episode = _played(what, agent, asked, rules, limits, seed)
    stage = stage_of(world)
    path = record or Path("plays") / f"live-{world.id.replace('/', '-')}{RECORD}"
    if path.exists():
        raise Refused(f"{path} exists; name another file with --out")
    join = Join(host=host, port=port, bots=stage.bots, auth="microsoft" if auth == "microsoft" else "offline")
    where = _cell(corner) if corner else None
    found: list[Observed] = []
    try:
        asyncio.run(_live(setup, clock, join, world, stage, episode, where, steps, yes, found))
    finally:
        if found:
            _keep(path, episode, found)
    if json:
        print_json([{"step": each.step, "agrees": each.agrees, "chest": each.seen.chest} for each in found])
    differing = [each.step for each in found if not each.agrees]
    if differing:
        remark(f"the chest differs from the text world's after steps {', '.join(map(str, differing))}")
        raise typer.Exit(1)


def _played(
    what: str, agent: str, asked: Asked, rules: str, limits: str, seed: int
) -> tuple[World[Any, Any, Any], Episode]:
    """The world and the decisions: of a record, or of an agent that plays the text world now."""
    if what.endswith(RECORD):
        episode = read_episode(what)
        return world_of(episode), episode
    world = registry.world(what, rules=rules, limits=limits)
    stage_of(world)
    let_own_agents_be_found()
    return world, play_now(world, make_policies(asked.specs([agent])[0], world, asked.client), seed)


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


async def _live(
    setup: Setup,
    clock: float,
    join: Join,
    world: World[Any, Any, Any],
    stage: Stage,
    episode: Episode,
    corner: Cell | None,
    steps: int | None,
    yes: bool,
    found: list[Observed],
) -> None:
    async with await Worker.start(setup.command(clock), setup.folder, setup.environment(clock)) as worker:
        await worker.ask(join, Joined, SECONDS_TO_JOIN)
        if corner is None:
            corner = await _around(worker, stage)
        changes = await changes_for(worker, stage, corner)
        _tell_changes(changes)
        if not yes:
            _confirm()

        def tell(observed: Observed) -> None:
            found.append(observed)
            _tell_step(observed)

        await follow(worker, world, stage, episode, corner, steps=steps, tell=tell)


async def _around(worker: Worker, stage: Stage) -> Cell:
    """The corner of an area in whose middle the first bot stands."""
    seen = await worker.ask(Observe(), Observation, SECONDS_TO_JOIN)
    x, y, z = (int(n // 1) for n in seen.bots[stage.bots[0]].at)
    area = stage.farm((0, 0, 0)).area
    return x - area.highest[0] // 2, y, z - area.highest[2] // 2


def _tell_changes(changes: Sequence[Change]) -> None:
    """What would be changed, a line each."""
    remark("on the server this would be changed, and put back at the end:")
    for change in changes[:MOST_TOLD]:
        where = change.bot or change.rule or " ".join(map(str, change.at or ()))
        remark(f"  {change.kind} {where}: {_told(change.was)} -> {_told(change.becomes)}")
    if len(changes) > MOST_TOLD:
        remark(f"  and {len(changes) - MOST_TOLD} more")


def _told(value: str | tuple[float, float, float] | None) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else " ".join(f"{n:g}" for n in value)


def _confirm() -> None:
    """Somebody at a terminal agrees; raises ``Refused`` where nobody can, or does not."""
    if not sys.stdin.isatty():
        raise Refused("nothing was changed: nobody can be asked here; agree with --yes")
    if not typer.confirm("Make these changes?", err=True):
        raise Refused("nothing was changed")


def _tell_step(observed: Observed) -> None:
    """What bots did, and the chest on both sides."""
    did = "; ".join(_call(call) for call in observed.acted.calls) or "nobody does anything"
    held = ", ".join(f"{n} {item}" for item, n in (observed.seen.chest or {}).items()) or "empty"
    differs = "" if observed.agrees else f" (the text world has {observed.predicted or 'nothing'})"
    line = f"{observed.step}: {did}; chest {held}{differs}"
    out.print(line, highlight=False, markup=False, soft_wrap=True)


def _call(call: Any) -> str:
    told = call.error or ", ".join(call.lines) or ("runs on" if call.running else "done")
    return f"{call.bot} {call.verb}: {told}"


def _keep(path: Path, episode: Episode, found: Sequence[Observed]) -> None:
    """The record, and what was observed, beside each other."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_episode(episode, path)
    beside = path.with_name(f"{path.name.removesuffix(RECORD)}.observed.json")
    write_observed(found, beside)
    remark(f"record: {path}; observed: {beside}")
