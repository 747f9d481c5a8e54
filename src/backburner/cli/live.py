"""``live``: bots play on a real Minecraft server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from msgspec import Struct

from backburner.agents.roster import make_policies
from backburner.cli import completion
from backburner.cli.agents import AGENTS, NOTHING_SAID, Asked, let_own_agents_be_found
from backburner.cli.console import print_json, remark, say
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.cli.live_demo import SCENARIO, Demo, Shown
from backburner.cli.on_server import (
    NODE_FOLDER,
    LiveGame,
    check_persons,
    node_folder,
    place_of,
    play_on,
    run_on_server,
    server_option,
    told_step,
)
from backburner.cli.options import JsonOption, LimitsOption, RulesOption
from backburner.evaluation.records import RECORD
from backburner.kernel import registry
from backburner.kernel.episode import Entry, Episode, EpisodeFile, Record, read_episode
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.play import SAFETY_CAP
from backburner.kernel.policy import Policy
from backburner.kernel.replay import world_of
from backburner.kernel.values import Seat
from backburner.live.bots import FOLDER, put_back
from backburner.live.install import MEGABYTES, find
from backburner.live.stage import Stage, compared, stage_of


class OfServer(Struct, frozen=True):
    """How what was changed on a server is put back."""

    clock: Annotated[float, Key("How much faster its time goes.", least=0.1, most=50)] = 1.0
    node_folder: Annotated[Path | None, Key("Where Node's packages are.")] = None


class Game(NamedTuple):
    """What is played: the scenario on a server, who plays every seat but the server's, the seed, how many
    steps at the most; whether whoever instructs does it in the server's chat."""

    stage: Stage
    policies: Mapping[Seat, Policy]
    seed: int
    steps: int | None
    by_chat: bool


def live(
    what: Annotated[
        str | None,
        typer.Argument(
            help="A scenario, or a record (*.jsonl) whose decisions are carried out.",
            autocompletion=completion.scenarios,
        ),
    ] = None,
    server: Annotated[str, server_option("--server", "The Minecraft server.")] = "",
    agent: Annotated[
        str, typer.Option("--agent", help=f"Who plays a scenario. {AGENTS}", autocompletion=completion.agents)
    ] = "greedy",
    model: Asked = NOTHING_SAID,
    rules: RulesOption = "standard",
    limits: LimitsOption = "article",
    seed: Annotated[int, typer.Option("--seed", help="Chance in play.")] = 0,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="So many steps only.")] = None,
    restore: Annotated[
        str,
        typer.Option(
            "--restore",
            metavar="FILE[@KEY=VALUE]",
            help=about(
                keys_of(OfServer), "Put back what this list says that play before has changed and left."
            ),
        ),
    ] = "",
    demo: Annotated[
        bool,
        typer.Option(
            "--demo",
            help="On a server of our own, with a page to watch it. Gets Node's packages with npm, once:"
            f" about {MEGABYTES} MB, into your cache or ${NODE_FOLDER}.",
        ),
    ] = False,
    listen: Annotated[
        str,
        typer.Option(
            "--listen",
            metavar="[HOST:]PORT[@KEY=VALUE]",
            help=about(keys_of(Shown), "With --demo: where its page is; else 127.0.0.1, any port."),
        ),
    ] = "",
    record: Annotated[Path | None, typer.Option("--out", help="Where to write the record.")] = None,
    json: JsonOption = False,
) -> None:
    """Play on a real Minecraft server: bots carry out what is decided, and what is seen there is the state.

    The record is an ordinary one. It tells what had been predicted otherwise, and replays without the server.
    What would be changed on the server is listed and asked for first, stays inside one area, and is put back
    at the end. What persons say in the server's chat is what an instructor says, if the scenario has one and
    no team of agents names another.

    What is changed is listed in a file until it is put back; where play was killed, --restore FILE does that.

    --demo needs no server: it starts one of ours, plays minecraft/level_1@steps=20 or what is named, shows
    it in a page, and leaves nothing but npm's packages.
    """
    if restore:
        if what is not None or server or demo:
            raise Refused("--restore FILE stands alone: the file says which server it is")
        _restore(restore)
        return
    if demo:
        if model != NOTHING_SAID or (what or "").endswith(RECORD):
            raise Refused("--demo plays a scenario by agents without a model; see serve --live for others")
        if json:
            raise Refused("--demo prints no JSON; with --out it keeps the record")
        Demo(what or SCENARIO, agent, rules, limits, seed, steps, server, listen, record).play()
        return
    if listen:
        raise Refused("--listen says where the page of --demo is")
    if what is None:
        raise Refused("name a scenario or a record, or try --demo")
    game = _game(what, agent, model, rules, limits, seed, steps)
    path = record or FOLDER / f"live-{game.stage.world.id.replace('/', '-')}{RECORD}"
    if path.exists():
        raise Refused(f"{path} exists; name another file with --out")
    place, on = place_of(server, "--server", path.parent)
    check_persons(game.stage, on.person)
    try:
        episode = _played(game, LiveGame(place, game.stage, on.agreed, on.person), path)
    finally:
        if path.exists():
            remark(f"record: {path}")
    seen = list(compared(episode, game.stage))
    if json:
        rows = [(each.step, each.agrees, each.seen, each.differs) for each in seen]
        print_json([dict(zip(("step", "agrees", "chest", "differs"), row, strict=True)) for row in rows])
    if episode.ending and episode.failed:
        raise BackburnerError(episode.ending.error)
    if differing := [each.step for each in seen if not each.agrees]:
        remark(f"the chest differs from what was predicted after steps {', '.join(map(str, differing))}")
        raise typer.Exit(1)


def _restore(written: str) -> None:
    """What earlier play has left is put back; raises ``BackburnerError`` where not all of it can be."""
    file, tail = named(written)
    on = read(OfServer, tail, "--restore")
    setup = find(on.node_folder or node_folder())
    if not run_on_server(put_back(setup, Path(file), on.clock, remark)):
        raise BackburnerError(f"not all of {file} is put back")


def _game(what: str, agent: str, model: Asked, rules: str, limits: str, seed: int, steps: int | None) -> Game:
    """A scenario that an agent plays, or a record, whose decisions are carried out as far as they go."""
    let_own_agents_be_found()
    if not what.endswith(RECORD):
        stage = stage_of(registry.world(what, rules=rules, limits=limits))
        spec = model.specs([agent])[0]
        policies = make_policies(spec, stage.text, model.client)
        return Game(stage, policies, seed, steps, by_chat=len(spec.members) == 1)
    episode = read_episode(what)
    stage = stage_of(world_of(episode))
    policies = make_policies(model.specs([f"replay:{what}"])[0], stage.text)
    recorded = min(_decisions(episode, seat) for seat in stage.text.seats)
    most = recorded if steps is None else min(steps, recorded)
    return Game(stage, policies, episode.header.seed, most, by_chat=False)


def _decisions(episode: Episode, seat: Seat) -> int:
    """How often a seat has decided."""
    answers = (entry.answers.get(seat) for entry in episode.entries)
    return sum(answer is not None and not answer.silent for answer in answers)


def _played(game: Game, live: LiveGame, path: Path) -> Episode:
    """The episode, told step by step; raises ``typer.Exit`` where that is read no further."""
    stage = game.stage
    most = SAFETY_CAP if game.steps is None else game.steps * stage.phases
    file = EpisodeFile(path)
    teller = _Teller(stage, file)
    playing = play_on(
        live,
        game.policies,
        game.seed,
        file,
        by_chat=game.by_chat,
        sink=teller.hear,
        watch=teller.tell,
        max_steps=most,
    )
    try:
        return run_on_server(playing)
    except KeyboardInterrupt:
        if teller.unheard:
            raise typer.Exit(1) from None
        raise


class _Teller:
    """Keeps each part of the record, and tells each step that was seen: calls, chest, what differs.

    ``unheard``: nobody could be told any more, which stopped play.
    """

    def __init__(self, stage: Stage, file: EpisodeFile) -> None:
        self._stage, self._file = stage, file
        self._last: Entry | None = None
        self._steps = 0
        self.unheard = False

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
        try:
            say(*told_step(self._steps, entry, stage, state))
        except (OSError, SystemExit) as error:  # Rich exits where a pipe is broken
            self.unheard = True
            raise KeyboardInterrupt from error
