"""``play``: an episode by a person, at the terminal."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace

from backburner.agents.latency import clock_for
from backburner.agents.person.keys import Keys, keys_of
from backburner.agents.person.policy import HumanPolicy
from backburner.agents.person.reading import Reader
from backburner.agents.person.sitting import Sitting
from backburner.agents.roster import make_policies
from backburner.agents.scripted import AsPredictedPolicy
from backburner.agents.spec import AgentSpec
from backburner.cli import completion
from backburner.cli.agents import NOTHING_SAID, Asked, let_own_agents_be_found
from backburner.cli.clocks import NO_TIME, Clocking
from backburner.cli.console import err, out, print_json, remark
from backburner.cli.ending import again, tell_lesson
from backburner.cli.on_server import LiveOption, live_game, play_on, run_on_server
from backburner.cli.options import (
    JsonOption,
    LimitsOption,
    RulesOption,
    SignOption,
    another_record,
    unused_record,
)
from backburner.cli.terminal import Screen
from backburner.evaluation.records import read_signer
from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode, EpisodeFile, read_episode
from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from backburner.kernel.policy import Policy
from backburner.kernel.replay import final_state
from backburner.kernel.reported import reporter_of
from backburner.kernel.text import Text
from backburner.kernel.turns import glance_of
from backburner.kernel.values import Seat
from backburner.kernel.view import read_controls
from backburner.live.bots import FOLDER


def play(
    scenario: Annotated[
        str, typer.Argument(help="A scenario id or a scenario file.", autocompletion=completion.scenarios)
    ],
    rules: RulesOption = "standard",
    limits: LimitsOption = "article",
    seed: Annotated[int, typer.Option("--seed", help="Chance in play.")] = 0,
    record: Annotated[Path | None, typer.Option("--out", help="Where to write the record.")] = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="An input JSON: your own keys and clicks for actions.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="Play this seat only; by default you play all of them.")
    ] = None,
    partner: Annotated[
        str | None,
        typer.Option(
            "--partner", help="The agent that plays the other seats.", autocompletion=completion.agents
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Slips cost what they cost a model; nothing is explained before.")
    ] = False,
    model: Asked = NOTHING_SAID,
    clock: Clocking = NO_TIME,
    live: LiveOption = "",
    sign: SignOption = None,
    json: JsonOption = False,
) -> None:
    """Play a scenario yourself, in the terminal. The record is kept, also when you stop early.

    What would be refused is explained and asked again, at no cost; the record notes it. With --strict the
    rules hold for you as they do for a model, so that the two can be compared.

    Where the article's limits cannot be told, you play without limits. With --live bots carry the game out
    on a Minecraft server, and what is seen there is what happens; what persons say in its chat is what an
    instructor says, where that is not you and no team of agents names another.
    """
    signer = None if sign is None else read_signer(sign)
    timing = _timing(clock, live)
    world, unlimited = registry.world_to_look_at(scenario, rules=rules, limits=limits)
    game = live_game(world, live, FOLDER if record is None else record.parent)
    world = world if game is None else game.stage.world
    team = partner is not None and len(AgentSpec(partner).members) > 1
    chat = game.stage.speaker if game and seat not in (None, game.stage.speaker) and not team else ""
    text = world if game is None else game.stage.text
    others = _others(text, seat, partner, model, chat)
    own = [each for each in text.seats if each not in (*others, chat)]
    if record is None:
        record = unused_record(world.id)
    if record.exists():
        raise Refused(f"{record} exists; name another file with --out")
    screen = err if json else out
    reader = Reader(_keys(world, keys), strict=strict)
    if isinstance(world, Text):
        reader = replace(reader, typed=world.typed, phrases=world.phrases)
    sitting = Sitting(text, own, "" if game is None else "What bots have done on a server stays done.")
    terminal = Screen(screen)
    human = HumanPolicy(
        terminal,
        time.monotonic,
        reader,
        help=world.typing_help if isinstance(world, Text) else "",
        seats=own,
        sitting=sitting,
    )
    remark(f"{registry.title_of(world)} ({world.id})")
    if unlimited:
        remark(f"{unlimited}; you play without one")
    elif not strict and (cut := _limits(world)):
        remark(f"play is cut off, at the latest, by: {cut} (--limits none: never)")
    players = dict.fromkeys(world.seats, human) | others
    kept = clock_for(timing, world, players) if game is None else None
    while True:
        file = EpisodeFile(record, signer)
        try:
            if game is None:
                episode = asyncio.run(sitting.play(players, seed, file, kept, _tell_taken_back))
            else:
                sink = sitting.sink(file.write)
                episode = run_on_server(play_on(game, players, seed, file, by_chat=bool(chat), sink=sink))
        except KeyboardInterrupt:
            if record.exists():
                remark("")
                if not json:
                    tell_lesson(read_episode(record))
                remark(f"record: {record}")
            raise
        lesson = None
        if json:
            print_json({"record": record, "ending": episode.ending})
        elif episode.ending is not None:
            _tell_last_news(world, episode, own)
            numbers = ", ".join(f"{name} {value}" for name, value in episode.ending.numbers.items())
            out.print(f"{episode.ending.reason}: {numbers}", highlight=False, markup=False)
            lesson = tell_lesson(episode)
        remark(f"record: {record}\nsee it with: backburner replay {record}")
        if game is not None and episode.ending is not None and episode.failed:
            raise BackburnerError(episode.ending.error)
        if json or strict or game is not None:
            return
        if not (taken := again(terminal, sitting, lesson, len(episode.entries))):
            return
        _tell_taken_back(taken)
        record = another_record(record)


def _tell_taken_back(taken: str) -> None:
    remark(f"taken back, {taken}")


def _timing(clock: Clocking, live: str) -> Timing | None:
    """The clock of one episode; raises ``Refused``."""
    if clock.mode not in ("", "none", "seconds") or (clock.mode == "seconds" and live):
        raise Refused(
            "people are charged the seconds that they take, and not on a live server: --clock seconds"
        )
    return clock.timings()[0]


def _limits(world: World[Any, Any, Any]) -> str:
    """The numbers at which play is cut off, such as ``steps 10``."""
    limits = msgspec.to_builtins(world.limits)
    named = (
        (name.replace("_", " "), value) for name, value in limits.items() if isinstance(value, int | float)
    )
    return ", ".join(f"{name} {value}" for name, value in named if not isinstance(value, bool))


def _tell_last_news(world: World[Any, Any, Any], episode: Episode, seats: list[Seat]) -> None:
    """What became of the last decision, which nobody is asked after any more."""
    state = final_state(episode, world)
    told = dict.fromkeys(glance_of(world, state, seat).told for seat in seats)
    if news := "\n".join(filter(None, told)):
        out.print(news, highlight=False, markup=False)


def _others(
    world: World[Any, Any, Any], seat: str | None, partner: str | None, model: Asked, chat: Seat
) -> dict[Seat, Policy]:
    """Who plays the seats that the person does not, but that of ``chat``; nobody does if the person plays
    them all. At a seat that reports nobody sits."""
    reporter = reporter_of(world)
    seats = [each for each in world.seats if each not in (reporter, chat)]
    reporting: dict[Seat, Policy] = {reporter: AsPredictedPolicy()} if reporter else {}
    if partner is None and model != NOTHING_SAID:
        raise Refused("--model is for a --partner that asks one")
    if partner is not None and len(seats) == 1:
        raise Refused(f"--partner {partner}: {world.id} has one seat only, {seats[0]}, and it is yours")
    if seat is None:
        if partner is not None:
            raise Refused(f"--partner {partner}: name your own seat with --seat, of {', '.join(seats)}")
        return reporting
    if seat not in seats:
        raise UnknownName("seat", seat, seats, world.id)
    if len(seats) == 1:
        return reporting
    if partner is None:
        rest = ", ".join(each for each in seats if each != seat)
        raise Refused(f"who plays {rest}? Name an agent with --partner")
    let_own_agents_be_found()
    policies = make_policies(model.specs([partner])[0], world, model.client)
    return {each: policy for each, policy in policies.items() if each not in (seat, chat)} | reporting


def _keys(world: World[Any, Any, Any], file: Path | None) -> Keys | None:
    """The world's keys and clicks, or those of a file, where the world can be played so."""
    own = keys_of(world)
    if file is None:
        return own
    if own is None:
        raise Refused(f"{world.id} cannot be played with keys")
    return Keys(read_controls(file, own.verbs), own.verbs, own.together)
