"""A farm on a server of the game itself, and the calls of a step as its bots take them.

A cell (x, z) of the scenario is the block at x, z on the server, moved so that the farm's lowest corner comes
to where it is asked for; all of it stands on one floor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from backburner.kernel.errors import shorten
from backburner.kernel.reported import Ground
from backburner.kernel.values import Refusal
from backburner.live.messages import (
    Act,
    Acted,
    Area,
    Call,
    Called,
    Cell,
    Observation,
    Place,
    PlacedBlock,
    PlacedMob,
    Prepare,
    SeenFurnace,
    Slot,
    Surveyed,
)
from backburner.live.stage import ground_of
from backburner.worlds.dispatch.instructor import harmless, instruction_of
from backburner.worlds.minecraft.game.actions import (
    ERRORS,
    KILL,
    LONGEST_WHY,
    MINE,
    MOST_ITEMS,
    MOST_KINDS,
    MOST_PERSONS,
    MOST_TICKS,
    NAME,
    ON_SERVER,
    PUT_FUEL,
    PUT_ITEM,
    SPEAKER,
    Calls,
    Came,
    Report,
    SeenBody,
    SeenPlayer,
)
from backburner.worlds.minecraft.game.physics import (
    COOKED,
    FUELS,
    MINEABLE,
    MOBS,
    NO_STACK,
    SMELTING_TICKS,
    STACK,
    WINDOW_TICKS,
    Furnace,
    Stack,
    drops,
)
from backburner.worlds.minecraft.game.reading import Joint, read_joint
from backburner.worlds.minecraft.game.scenarios import SERVER
from backburner.worlds.minecraft.game.server import CODES, PREDICTED, decisions_of
from backburner.worlds.minecraft.game.state import Items, Killed, State
from backburner.worlds.minecraft.game.transition import LEAD_TICKS, TRAIL_TICKS, WAIT_TICKS
from backburner.worlds.minecraft.game.world import Minecraft

MARGIN = 2
"""Cells around everything that belong to the area."""

HEIGHT = 3
MOST_KILLS = 200
NO_SIGN, LONGEST_PLAYER = re.compile(r"[^A-Za-z0-9_]"), 16
"""What a player's name has not, and how many signs it has."""

RULES = {"doMobSpawning": "false"}
"""Game rules during play: no further mobs come."""


class MinecraftStage:
    """A scenario's farm, and its decisions under its rules."""

    def __init__(self, world: Minecraft) -> None:
        self.world, self.text = world.with_server(live=True), world.with_server(live=False)
        self.seat, self.as_predicted = SERVER, PREDICTED
        self.speaker = world.speaker
        self.phases = len(self.world.seating.phases) + 1
        self.bots = world.compiled.names
        self.game = "minecraft"
        self.kinds = (*world.compiled.block_kinds, *world.compiled.mob_kinds)
        scenario = world.scenario
        cells = [*(site.at for site in scenario.sites), *scenario.spawns]
        self.lowest = (min(x for x, _ in cells) - MARGIN, min(z for _, z in cells) - MARGIN)
        self.size = (
            max(x for x, _ in cells) + MARGIN - self.lowest[0],
            max(z for _, z in cells) + MARGIN - self.lowest[1],
        )

    def farm(self, corner: Cell) -> Prepare:
        """Furnace, chest, logs and mobs, and where bots begin."""
        x, y, z = corner
        scenario = self.world.scenario
        return Prepare(
            area=Area(corner, (x + self.size[0], y + HEIGHT, z + self.size[1])),
            blocks=tuple(PlacedBlock(site.kind, self._there(site.at, corner)) for site in scenario.blocks),
            mobs=tuple(PlacedMob(site.kind, self._there(site.at, corner)) for site in scenario.mobs),
            starts={
                name: self._there(at, corner) for name, at in zip(self.bots, scenario.spawns, strict=True)
            },
            rules=RULES,
        )

    def act(self, state: State) -> Act:
        """The calls that can be tried, for as long as the rules say; what is none is left out, and what the
        rules refuse whatever is there comes to nothing at once, as by the rules."""
        rules = self.world.rules
        predicted = self.world.step(state, {self.seat: PREDICTED})
        refused = {(each.seat, each.index): each.code for each in predicted.refusals}
        calls = tuple(
            Call(self.bots[call.body], call.verb, (call.thing,) if call.thing else ())
            if self._is_tried(call.verb, call.thing)
            else _vain(self.bots[call.body], call.verb, refused[seat, number])
            for call, seat, number in self._joint(state).given
        )
        return Act(
            calls,
            before=LEAD_TICKS,
            after=TRAIL_TICKS,
            renew="during" if rules.late_renewal else "after",
            until="error" if rules.errors_end_step else "all",
            put_waits=WAIT_TICKS if rules.putting_waits else 0,
            hand_ticks=WINDOW_TICKS,
            no_way=("cow",) if rules.no_way_to_cows else (),
            stacks=1 if rules.one_drop_fetched else 16,
            lasts=predicted.state.ticks - state.ticks,
        )

    def report(
        self,
        state: State,
        acted: Acted,
        seen: Observation,
        corner: Cell,
        surveyed: Surveyed | None = None,
        waited: int = 0,
    ) -> Calls:
        """What bots did and what was seen, as the seat ``server`` says it."""
        ground = self._ground(surveyed, corner) if surveyed else None
        bodies = (
            SeenBody(name, self._cell(seen.bots[name].at, corner), _items(seen.bots[name].inventory))
            for name in self.bots
            if name in seen.bots
        )
        report = Report(
            min(max(1, acted.ended - acted.tick), MOST_TICKS),
            tuple(_came(call) for call in acted.calls),
            tuple(killed for call in (*acted.late, *acted.calls) for killed in _killed(call)),
            tuple(bodies),
            None if seen.furnace is None else _furnace(seen.furnace),
            None if seen.chest is None else _items(seen.chest),
            self._gone(seen, corner),
            None if ground == state.ground else ground,
            tuple(self._persons(seen, corner)),
            min(waited, MOST_TICKS),
        )
        return Calls((), report=report)

    def begun(self, state: State, decision: Calls | Refusal) -> State:
        """The state after the ticks that a report says the server had waited."""
        report = decision.report if isinstance(decision, Calls) else None
        if report is None or not report.waited:
            return state
        return self.world.step(state, {SERVER: Calls((), silent=report.waited)}).state

    def _persons(self, seen: Observation, corner: Cell) -> Iterator[SeenPlayer]:
        """Those beside the bots; what is no sign of a player's name is told as a line."""
        persons = {_player(name): there for name, there in seen.persons.items()}
        for name, there in sorted(persons.items())[:MOST_PERSONS]:
            carried = None if there.inventory is None else _items(there.inventory)
            yield SeenPlayer(name, self._cell(there.at, corner), carried)

    def _joint(self, state: State) -> Joint:
        world = self.world
        return read_joint(world.compiled, world.rules, world.call_reader, decisions_of(state))

    def _is_tried(self, verb: str, thing: str) -> bool:
        """Whether a server is asked: not for what has no name there, nor for what it could do and the rules
        refuse whatever is there."""
        known = {KILL: MOBS, MINE: MINEABLE, PUT_FUEL: FUELS}.get(verb)
        if verb == PUT_ITEM and not self.world.rules.furnace_takes_anything:
            known = COOKED
        return not thing or (NAME.fullmatch(thing) is not None and (known is None or thing in known))

    def _there(self, cell: tuple[int, int], corner: Cell) -> Cell:
        x, y, z = corner
        return cell[0] - self.lowest[0] + x, y, cell[1] - self.lowest[1] + z

    def _cell(self, at: Place, corner: Cell) -> tuple[float, float]:
        """A place on the server in the scenario's blocks, to the hundredth."""
        x, z = at[0] - corner[0] + self.lowest[0], at[2] - corner[2] + self.lowest[1]
        return round(x, 2), round(z, 2)

    def _gone(self, seen: Observation, corner: Cell) -> tuple[int, ...]:
        """The mobs and logs that do not stand."""
        fallen = {(each.kind, each.at) for each in seen.standing if not each.there}
        sites = enumerate(self.world.scenario.sites)
        free = ((number, site) for number, site in sites if site.kind in (*MOBS, *MINEABLE))
        return tuple(number for number, site in free if (site.kind, self._there(site.at, corner)) in fallen)

    def _ground(self, surveyed: Surveyed, corner: Cell) -> Ground | None:
        """The ground without this world's own mobs."""
        shift = corner[0] - self.lowest[0], corner[2] - self.lowest[1]
        sites = {(site.kind, site.at) for site in self.world.scenario.sites}
        return ground_of(surveyed, shift, known=lambda kind, cell: (kind, cell) in sites)

    def instruction(self, said: Sequence[tuple[str, str]]) -> Calls:
        """What persons have said, as the instructor says it."""
        return SPEAKER.says(instruction_of(said))

    def chest(self, state: State) -> dict[str, int]:
        """What is in the chest."""
        return dict(state.chest)

    def drops(self, seed: int) -> dict[str, list[dict[str, int]]]:
        """As the game as text draws them."""
        return told_drops(self.text.start(seed).stream)


KILLED, DEAD = "Killed ", "!"
"""What a bot says of a mob that it has killed stands between them."""


def _player(name: str) -> str:
    return NO_SIGN.sub("_", name)[:LONGEST_PLAYER] or "_"


def _vain(bot: str, verb: str, code: str) -> Call:
    """A call that comes to nothing by the rules."""
    return Call(bot, verb, (), code, code.replace("_", " ") if code in ERRORS else None)


def _came(call: Called) -> Came:
    """What came of a call; what the rules have no word for is told in the server's."""
    ticks = min(max(0, call.ticks), MOST_TICKS)
    if call.ok or call.running:
        return Came(call.bot, ticks, running=call.running)
    if call.code in CODES:
        return Came(call.bot, ticks, call.code)
    return Came(call.bot, ticks, ON_SERVER, shorten(harmless(call.error or ""), LONGEST_WHY))


def _killed(call: Called) -> Iterator[Killed]:
    for line in call.lines:
        mob = line.removeprefix(KILLED).removesuffix(DEAD)
        if mob in MOBS and line == f"{KILLED}{mob}{DEAD}":
            yield Killed(call.bot, mob)


def _items(seen: Mapping[str, int]) -> Items:
    known = ((item, count) for item, count in seen.items() if count > 0 and NAME.fullmatch(item))
    return tuple(sorted((item, min(count, MOST_ITEMS)) for item, count in known)[:MOST_KINDS])


def _furnace(seen: SeenFurnace) -> Furnace:
    """The furnace as the rules have it: other fuel is left out of account, and so is heat in what it cannot
    smelt. A server takes a tick off what burns before it smelts: its last one smelts nothing."""
    fuel, put = _stack(seen.fuel), _stack(seen.input)
    return Furnace(
        put,
        fuel if fuel[0] in FUELS else NO_STACK,
        _stack(seen.output),
        min(max(0, seen.burning - 1), MOST_TICKS),
        min(max(0, seen.progress), SMELTING_TICKS - 1) if put[0] in COOKED else 0,
    )


def _stack(seen: Slot) -> Stack:
    return (seen[0], min(seen[1], STACK)) if seen and seen[1] > 0 and NAME.fullmatch(seen[0]) else NO_STACK


def stage(world: Minecraft) -> MinecraftStage:
    """The stage of a scenario."""
    return MinecraftStage(world)


def told_drops(stream: int) -> dict[str, list[dict[str, int]]]:
    """What the first, the second ... mob of each kind drops that is killed in an episode with this stream:
    for a server that can be told."""
    return {kind: [dict(drops(stream, kind, number)) for number in range(MOST_KILLS)] for kind in MOBS}
