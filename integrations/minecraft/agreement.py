"""Whether the text world and a server of the game agree: agents' plans, played as text and by bots.

    python integrations/minecraft/agreement.py                    # everything: about a quarter of an hour
    python integrations/minecraft/agreement.py minecraft/level_1 --rules standard --agent greedy --steps 20
    python integrations/minecraft/agreement.py minecraft/level_2 --agent chaos --seed 7

For each scenario, rule set and agent its plan is played as text; then bots carry out the same decisions on
the server of this folder, which is told the drops, by a clock of ticks (docs/live.md). After each step chest,
inventories and places are compared with those of the text, and with what the rules make of what was seen
before it.

What is played is kept in a folder: stop the command and call it again, and it goes on, with what was not as
it should be once more. Plans, records of both plays, and a line for each are there. Exit code 1: something
differs and is not explained, or could not be played.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from comparing import CHEST, Play, differences, plays, policies_of, steps_of, ticks_of
from msgspec import Struct
from serving import Server

from backburner.kernel import registry
from backburner.kernel.episode import Episode, EpisodeFile, read_episode, write_episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.play import play, play_now
from backburner.kernel.values import digest
from backburner.live.bots import LISTED, PUT_BACK, Bots, joined
from backburner.live.install import TOLD, Setup, install
from backburner.live.messages import Join
from backburner.live.stage import Stage, stage_of
from backburner.worlds.minecraft.game.scenarios import BOTS
from backburner.worlds.minecraft.live.stage import told_drops

FOLDER = Path("build") / "agreement"
LINES = "plays.jsonl"
AGENTS = ("greedy", "random", "learned", "chaos", "oracle")
"""Cheap ones first: an oracle searches for its plan."""

RULES = ("standard", "released")
SECONDS_A_PLAY = 1800.0
COLUMNS = ("scenario", "rules", "agent", "steps", "chest agrees", "ticks more", "seconds", "first difference")


class Outcome(Struct, frozen=True):
    """A play that is over. ``plan``: a digest of its decisions; ``steps`` played, after so many of which the
    chest ``agrees``; ``ticks`` on the server beyond those of the text; ``first``: what differed first;
    ``unexplained``: what nobody has explained yet, the first of it; ``error``: why it stopped; ``most``: how
    many steps were asked for, if not all."""

    play: Play
    plan: str
    steps: int
    agrees: int
    ticks: int
    seconds: float
    first: str = ""
    unexplained: str = ""
    error: str = ""
    most: int | None = None

    @property
    def good(self) -> bool:
        """Whether all of it is the same, or explained."""
        return not (self.unexplained or self.error)

    def serves(self, steps: int | None) -> bool:
        """Whether it need not be played again where so many steps, or all, are asked for."""
        return self.good and self.most == steps

    def row(self) -> list[str]:
        """As a row of the table."""
        play, told = self.play, self.error or self.unexplained or self.first
        return [
            play.scenario,
            play.rules,
            play.agent,
            str(self.steps),
            str(self.agrees),
            f"{self.ticks:+}",
            f"{self.seconds:.0f}",
            told if self.good or not told else f"**{told}**",
        ]


class Kept:
    """A folder with plans, records and outcomes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("text", "live"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def text(self, play: Play) -> Path:
        """The record of its plan, played as text now if there is none."""
        file = self.folder / "text" / play.file_name
        if not file.is_file():
            stage = stage_of(registry.world(play.scenario, rules=play.rules))
            write_episode(play_now(stage.text, policies_of(play.agent, stage), play.seed), file)
        return file

    def live(self, play: Play) -> Path:
        """Where the record of the play on the server comes."""
        return self.folder / "live" / play.file_name

    def outcomes(self) -> dict[Play, Outcome]:
        """What was played to its end; a line that was cut off, or of an older form, is not."""
        found: dict[Play, Outcome] = {}
        file = self.folder / LINES
        for line in file.read_bytes().splitlines() if file.is_file() else ():
            try:
                outcome = msgspec.json.decode(line, type=Outcome)
            except msgspec.MsgspecError:
                continue
            found[outcome.play] = outcome
        return found

    def add(self, outcome: Outcome) -> None:
        """A line more."""
        with (self.folder / LINES).open("ab") as file:
            file.write(b"\n" + msgspec.json.encode(outcome))


def tell(line: str) -> None:
    """What could not be put back; the server is ours, but the next play begins where this one ended."""
    if line != PUT_BACK and not line.startswith(LISTED):
        print(line, file=sys.stderr)


@asynccontextmanager
async def ground(setup: Setup, folder: Path) -> AsyncIterator[tuple[Server, Bots]]:
    """A server, and bots on it."""
    server = Server(setup, TOLD)
    try:
        server.begin()
        join = Join(host="127.0.0.1", port=server.port, bots=BOTS[:2])
        async with joined(setup, join, TOLD, tell, folder) as bots:
            yield server, bots
    finally:
        server.stop()


async def on_server(
    server: Server, bots: Bots, stage: Stage, text: Path, record: Path, steps: int | None
) -> Episode:
    """The decisions of a text record, carried out, and recorded."""
    episode = read_episode(text)
    most = steps_of(episode, stage.text)
    most = most if steps is None else min(steps, most)
    server.begin(drops=told_drops(stage.text.start(episode.header.seed).stream))
    corner = await bots.around(stage)
    async with bots.on(stage, corner) as player:
        policies = {**policies_of(f"replay:{text}", stage), stage.seat: player}
        with EpisodeFile(record) as file:
            playing = play(
                stage.world,
                policies,
                episode.header.seed,
                sink=file.write,
                max_steps=most * stage.phases,
            )
            async with asyncio.timeout(SECONDS_A_PLAY):
                live = await playing
            file.finish()
    return live


async def played(play: Play, kept: Kept, server: Server, bots: Bots, steps: int | None) -> Outcome:
    """A play, and what came of it."""
    text = await asyncio.to_thread(kept.text, play)  # an oracle thinks for a minute
    episode, began = read_episode(text), time.monotonic()
    # Where steps last longer, an episode by the clock would end before the plan does.
    stage = stage_of(registry.world(play.scenario, rules=play.rules, limits="none"))
    live, error = None, ""
    try:
        live = await on_server(server, bots, stage, text, kept.live(play), steps)
        if live.ending and live.ending.status == "failed":
            error = live.ending.error
    except (BackburnerError, TimeoutError) as failed:
        error = str(failed) or f"it took longer than {SECONDS_A_PLAY:g} s"
    seconds = time.monotonic() - began
    if live is None:
        return Outcome(play, plan_of(episode), 0, 0, 0, seconds, error=error, most=steps)
    told = steps_of(live, stage.world)
    found = differences(episode, live, stage)
    others = len({each.step for each in found if each.what == CHEST})
    more = ticks_of(live, stage.world, told) - ticks_of(episode, stage.text, told)
    first = next((str(each) for each in found if each.what == CHEST), next(map(str, found), ""))
    unexplained = next((str(each) for each in found if not each.why), "")
    agrees = told - others
    return Outcome(play, plan_of(episode), told, agrees, more, seconds, first, unexplained, error, most=steps)


def plan_of(episode: Episode) -> str:
    """A digest of what was decided."""
    return digest([{seat: answer.decision for seat, answer in e.answers.items()} for e in episode.entries])


async def all_of(
    wanted: Sequence[Play], setup: Setup, kept: Kept, steps: int | None, tell: Callable[[Outcome], object]
) -> None:
    """Play what is left to play, each on ground where nothing went wrong before."""
    left = list(wanted)
    while left:
        async with ground(setup, kept.folder) as (server, bots):
            while left:
                outcome = await played(left.pop(0), kept, server, bots, steps)
                kept.add(outcome)
                tell(outcome)
                if outcome.error:
                    break


def line(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("scenarios", nargs="*", default=["minecraft/all"], help="ids or suites")
    parser.add_argument("--rules", action="append", choices=RULES)
    parser.add_argument(
        "--agent", action="append", help=f"any that needs no model, or chaos; by default {', '.join(AGENTS)}"
    )
    parser.add_argument("--seed", type=int, default=0, help="chance in play, of agents that draw")
    parser.add_argument("--steps", type=int, help="so many steps of each play only")
    parser.add_argument("--out", type=Path, default=FOLDER, help=f"what is kept, by default {FOLDER}")
    named = os.environ.get("LIVE_NODE_FOLDER")
    parser.add_argument("--node-folder", type=Path, default=Path(named) if named else None)
    parser.add_argument("--again", action="store_true", help="play what was played before, too")
    asked = parser.parse_args()
    kept = Kept(asked.out)
    wanted = plays(asked.scenarios, asked.rules or RULES, asked.agent or AGENTS, asked.seed)
    known = {} if asked.again else kept.outcomes()
    found = {each: known[each] for each in wanted if each in known and known[each].serves(asked.steps)}
    print(line(COLUMNS), line(["---"] * len(COLUMNS)), *(line(o.row()) for o in found.values()), sep="\n")

    def tell(outcome: Outcome) -> None:
        found[outcome.play] = outcome
        print(line(outcome.row()), flush=True)

    left = [each for each in wanted if each not in found]
    if left:
        asyncio.run(all_of(left, install(asked.node_folder, server=True), kept, asked.steps, tell))
    steps, agree = sum(o.steps for o in found.values()), sum(o.agrees for o in found.values())
    bad = [str(each) for each, outcome in found.items() if not outcome.good]
    print(f"{len(found)} plays, {steps} steps: the chest agrees after {agree} of them")
    if bad:
        print(f"not explained: {', '.join(bad)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
