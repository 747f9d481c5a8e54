"""The states that the inside of a place can be in, found by trying everything out under the exact rules."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, PUT
from backburner.worlds.cuisineworld.game.compiled import TABLE
from backburner.worlds.cuisineworld.game.menus import FETCH, Choices
from backburner.worlds.cuisineworld.game.state import NOTHING, Act, State
from backburner.worlds.cuisineworld.game.transition import Transition
from backburner.worlds.cuisineworld.game.world import CuisineWorld

MOST_STATES = 20_000
"""Local states of a kitchen; the released levels have 340 at the most."""

REFUSED = -1

Local = tuple[int, tuple[int, ...], bool]
"""A place (the first of its kind), the things inside, sorted, and whether its product may be taken."""


class LocalRow(Struct, frozen=True):
    """What one body can do to a place in one local state, where neither is busy.

    States are meant by their numbers; ``REFUSED`` where the rules refuse.

    - ``put``: for each thing in hands the state that a put leads to
    - ``get``: the state that a get leads to, without a name and then with that of each ingredient; ``got``:
      what comes into hands
    - ``activated``: the state after an activation, which keeps place and body busy for so long
    - ``offers``: whether the menu has, for empty hands: get, activate, get of each ingredient;
      ``offers_put``: for each thing in hands, put
    """

    put: list[int]
    get: list[int]
    got: list[int]
    activated: int
    place_busy: int
    body_busy: int
    offers: list[bool]
    offers_put: list[bool]


class LocalStates:
    """The local states of a kitchen: ``states`` by number, ``rows`` of what they lead to.

    ``first``: for each place the number of its state when it is empty. Raises ``Refused`` for more than
    ``MOST_STATES``. A serving table has one state; what lies on it is counted elsewhere.
    """

    def __init__(self, world: CuisineWorld, things: Sequence[int]) -> None:
        self.world = world
        self.things = things
        self.states: list[Local] = []
        self._numbers: dict[Local, int] = {}
        # Whether a table has room is no matter of what is inside one place.
        self._choices = Choices(world.compiled, world.command_reader, world.scenario.bodies, table_room=None)
        names = [kind.name for kind in world.compiled.kinds]
        self._kind = [names.index(name) for name in names]
        self.first = [self.number(place, (), False) for place in range(len(names))]
        self.rows: list[LocalRow] = []
        while len(self.rows) < len(self.states):
            self.rows.append(self._row(self.states[len(self.rows)]))

    def number(self, place: int, content: Sequence[int], ready: bool) -> int:
        """The number of a state, a new one if it is met for the first time."""
        local = (self._kind[place], tuple(sorted(content)), ready)
        if local not in self._numbers:
            if len(self.states) == MOST_STATES:
                raise Refused(f"{self.world.id}: its tools can hold more than {MOST_STATES} combinations")
            self._numbers[local] = len(self.states)
            self.states.append(local)
        return self._numbers[local]

    def _row(self, local: Local) -> LocalRow:
        items = (NOTHING, *self.world.compiled.level_ingredients)
        gets = [self._tried(local, NOTHING, GET, item) for item in items]
        puts = [self._tried(local, thing, PUT) for thing in self.things]
        activated = self._tried(local, NOTHING, ACTIVATE)
        offered = self._offered(local, NOTHING)
        return LocalRow(
            put=[self._after(local, after) for after in puts],
            get=[self._after(local, after) for after in gets],
            got=[NOTHING if after is None else after.held[0] for after in gets],
            activated=self._after(local, activated),
            place_busy=0 if activated is None else activated.busy[local[0]],
            body_busy=0 if activated is None else activated.hands_busy[0],
            offers=[verb in offered for verb in ("get", "activate", FETCH)],
            offers_put=["put" in self._offered(local, thing) for thing in self.things],
        )

    def _state(self, local: Local, held: int) -> State:
        """A body that holds this at the place, and nothing anywhere else."""
        place, content, ready = local
        start = self.world.start()
        bodies, places = len(start.at), len(start.inside)
        return State(
            at=(place,) * bodies,
            held=(held, *(NOTHING,) * (bodies - 1)),
            hands_busy=start.hands_busy,
            inside=tuple(content if other == place else () for other in range(places)),
            busy=start.busy,
            ready=ready << place,
        )

    def _tried(self, local: Local, held: int, verb: int, item: int = NOTHING) -> Transition | None:
        """What comes of a command; ``None`` if it is refused."""
        transition = Transition(self.world.compiled, self.world.rules, None, self._state(local, held))
        command = self.world.command_reader.command(verb, 0, local[0], item)
        return transition if isinstance(transition.do(command), Act) else None

    def _after(self, local: Local, after: Transition | None) -> int:
        if after is None:
            return REFUSED
        place = local[0]
        if self.world.compiled.roles[place] == TABLE:
            return self.first[place]
        return self.number(place, after.inside[place], bool(after.ready >> place & 1))

    def _offered(self, local: Local, held: int) -> set[str]:
        """The verbs that the menu has for the body there."""
        menu = self._choices.menu(self._state(local, held), (0,))
        return {option.verb for option in menu.options}
