"""Every state of a demonstration: what could be decided, what was, and what each of these is worth.

The worth of a decision is the time that it loses: how much later everything can be done at the earliest than
before it. 0 is optimal play. It comes from the world's oracle (``Oracle.onward``), which is asked for the
state before the decision and after it; where the oracle has no answer, there is none.

Pairs of a better and a worse decision in one state are for learning from preferences. The better one loses
nothing. The worse ones are plausible slips: ``costly``, an accepted decision that loses as little as any that
loses something; ``wait``, time let go by while something useful could be begun; and ``refused``, what comes
later in the demonstration and cannot be done yet, or was done before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from backburner.arrays.encoding import encoding_of
from backburner.arrays.rewards import GENERAL, reward_of
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus
from backburner.kernel.menu import Option as MenuOption
from backburner.kernel.oracle import Onward, Status, oracle_of
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Refusal, Seat, Step
from backburner.training.export.demonstrations import Demonstration

OVER: Status = "infeasible"


class Choice(Struct, frozen=True):
    """A decision that the world would accept in a state, by its ``label``.

    ``finish``: when everything can be done at the earliest after it, ``lost`` how much later that is than
    before it. ``dead``: after it not everything can be done any more. ``optimal``: nothing is lost by it. All
    are ``None`` where they are not known.
    """

    label: str
    decision: Any
    passes: bool
    finish: int | None = None
    lost: int | None = None
    dead: bool | None = None
    optimal: bool | None = None


class Moment(Struct, frozen=True):
    """A seat at a decision point.

    ``decided``: what it does, which may be a refusal; ``taken``: the same as a choice, with its worth.
    ``now``: ``None`` where the oracle has no answer. ``choices``: the menu, for which the other seats do what
    they do in the demonstration; ``complete`` says whether it lists everything. ``seats``: how many decide.
    """

    index: int
    seat: Seat
    state: Any
    others: Mapping[Seat, Any]
    decided: Any
    step: Step[Any]
    now: Onward | None
    taken: Choice
    choices: tuple[Choice, ...]
    complete: bool
    rewards: Mapping[str, float | None]

    @property
    def accepted(self) -> bool:
        """Whether nothing that the seat decided was refused."""
        return not any(refusal.seat in ("", self.seat) for refusal in self.step.refusals)


class Values:
    """How soon everything can be done from the states of a world, each looked for once.

    ``why``: why nothing is known, or empty. The oracle is asked for the first state first, and no more if it
    has no answer to that.
    """

    def __init__(self, world: World[Any, Any, Any], effort: float) -> None:
        self._world, self._effort = world, effort
        self._known: dict[Any, Onward | None] = {}
        self.why = "" if effort > 0 else "no search was asked for"
        if not self.why:
            first = self._asked(world.start())
            self.why = self.why or (
                "" if first else "the oracle proves nothing of the first state in the effort"
            )

    def of(self, state: Any) -> Onward | None:
        """What is proven of a state; ``None`` for nothing."""
        if self.why:
            return None
        if state not in self._known:
            over = not self._world.deciders(state)
            self._known[state] = self._ended(state) if over else self._asked(state)
        return self._known[state]

    def _ended(self, state: Any) -> Onward:
        numbers = self._world.outcome(state).numbers
        time = int(numbers.get(self._world.time_unit, 0))
        return Onward("optimal", time, time) if numbers.get("completed") else Onward(OVER, time, None)

    def _asked(self, state: Any) -> Onward | None:
        try:
            found = oracle_of(self._world).onward(self._world, state, self._effort)
        except Refused as refusal:
            if not self._known:
                self.why = str(refusal)
            return None
        return found if found.status in ("optimal", OVER) else None


def moments(shown: Demonstration, values: Values) -> Iterator[Moment]:
    """Every seat at every decision point of a demonstration."""
    world = shown.world
    rewards = list(_rewards(shown))
    for state, entry, step in trajectory(shown.episode, world):
        decided = decisions_in(world, entry)
        for seat in decided:
            others = {other: decision for other, decision in decided.items() if other != seat}
            now = values.of(state)
            menu = world.menu(state, seat) if isinstance(world, Menus) else Menu((), complete=False)
            option = next((one for one in menu.options if one.decision == decided[seat]), None)
            taken = _taken(world, decided[seat], seat, option)
            worth = _on_the_way(shown, _worth(values, now, step.state, taken))
            yield Moment(
                index=entry.index,
                seat=seat,
                state=state,
                others=others,
                decided=decided[seat],
                step=step,
                now=now,
                taken=worth,
                choices=tuple(_choices(world, state, seat, others, menu, values, now)),
                complete=menu.complete,
                rewards=rewards[entry.index],
            )


def _on_the_way(shown: Demonstration, taken: Choice) -> Choice:
    """What is known of a decision of which the oracle says nothing: in a play that is as good as the proven
    best nothing was lost anywhere."""
    if taken.optimal is not None or shown.regret != 0 or shown.best is None:
        return taken
    timed = shown.best.sense == "min"
    return replace(taken, lost=0 if timed else None, dead=False if timed else None, optimal=True)


def _taken(world: Any, decided: Any, seat: Seat, option: MenuOption[Any] | None) -> Choice:
    if option is not None:
        return Choice(option.label, decided, option.passes)
    words = "" if isinstance(decided, Refusal) else said(world, decided, seat)
    return Choice(words, decided, passes=False)


def said(world: Any, decided: Any, seat: Seat) -> str:
    """A decision in the world's words; as it is written down where it has none or cannot say it."""
    try:
        return str(world.words(decided, seat))
    except (AttributeError, TypeError):
        return str(decided)


def _choices(
    world: World[Any, Any, Any],
    state: Any,
    seat: Seat,
    others: Mapping[Seat, Any],
    menu: Menu[Any],
    values: Values,
    now: Onward | None,
) -> Iterator[Choice]:
    for option in menu.options:
        choice = Choice(option.label, option.decision, option.passes)
        if now is None:
            yield choice
            continue
        step = world.step(state, {**others, seat: option.decision})
        if not step.refusals:
            yield _worth(values, now, step.state, choice)


def _worth(values: Values, now: Onward | None, after: Any, choice: Choice) -> Choice:
    if now is None or now.finish is None:
        return choice
    then = values.of(after)
    if then is None:
        return choice
    lost = None if then.finish is None else then.finish - now.finish
    return replace(choice, finish=then.finish, lost=lost, dead=then.status == OVER, optimal=lost == 0)


# --- rewards -----------------------------------------------------------------------------------------------


def _rewards(shown: Demonstration) -> Iterator[dict[str, float | None]]:
    """The rewards of each step: of a world with an encoding all that every encoding has; of any other the
    outcome, 1 at the end if everything is done."""
    world = shown.world
    played = list(trajectory(shown.episode, world))
    try:
        encoding = encoding_of(world)
    except Refused:
        for number, _ in enumerate(played, 1):
            done = number == len(played) and shown.completed
            yield {**dict.fromkeys(GENERAL), "sparse": float(done)}
        return
    folds = {name: reward_of(world, encoding, name) for name in GENERAL}
    for fold in folds.values():
        fold.begin(world.start(shown.seed))
    for state, _, step in played:
        yield {name: fold.add(state, step) for name, fold in folds.items()}


def branching(found: Sequence[Moment]) -> float | None:
    """The mean number of choices; ``None`` where menus do not list everything."""
    listed = [len(moment.choices) for moment in found if moment.complete]
    return sum(listed) / len(listed) if listed and len(listed) == len(found) else None


# --- pairs ----------------------------------------------------------------------------------------------


Kind = Literal["costly", "wait", "refused"]

NEAR = 4
"""Decisions before and after that are tried until one is refused."""


class Pair(Struct, frozen=True):
    """Two decisions of a seat at a decision point.

    ``lost``: the time that the worse one loses, ``None`` where that is not known or everything is lost;
    ``dead``: whether after it not everything can be done any more; ``code``: why it is refused.
    """

    moment: Moment
    kind: Kind
    chosen: Any
    rejected: Any
    lost: int | None = None
    dead: bool = False
    code: str = ""


def pairs(shown: Demonstration, found: Sequence[Moment]) -> Iterator[Pair]:
    """The pairs of a demonstration, in the order of its decisions; at most one of each kind for each."""
    by_seat: dict[Seat, list[Moment]] = {}
    for moment in found:
        by_seat.setdefault(moment.seat, []).append(moment)
    for moment in found:
        best = _best(moment)
        if best is None:
            continue
        if (slip := _costly(moment)) is not None:
            yield Pair(moment, "costly", best, slip.decision, slip.lost, bool(slip.dead))
        if (slip := _wait(moment)) is not None:
            yield Pair(moment, "wait", best, slip.decision, slip.lost, bool(slip.dead))
        refused = _refused(shown.world, moment, by_seat[moment.seat])
        if refused is not None:
            yield Pair(moment, "refused", best, refused[0], code=refused[1])


def _best(moment: Moment) -> Any:
    """The demonstration's decision if it loses nothing, else the first of the menu that does not; ``None``
    where nothing is known to be best."""
    if moment.taken.optimal and moment.accepted and not isinstance(moment.decided, Refusal):
        return moment.decided
    return next((choice.decision for choice in moment.choices if choice.optimal), None)


def _costly(moment: Moment) -> Choice | None:
    slips = [choice for choice in moment.choices if choice.optimal is False and not choice.passes]
    living = [choice for choice in slips if choice.lost is not None]
    return min(living, key=lambda choice: choice.lost or 0, default=slips[0] if slips else None)


def _wait(moment: Moment) -> Choice | None:
    if all(choice.passes for choice in moment.choices):
        return None
    return next((choice for choice in moment.choices if choice.passes and choice.optimal is False), None)


def _refused(world: World[Any, Any, Any], moment: Moment, mine: Sequence[Moment]) -> tuple[Any, str] | None:
    """A decision of the seat nearby that would be refused here, and the code of the refusal."""
    place = mine.index(moment)
    near = (*mine[place + 1 : place + 1 + NEAR], *reversed(mine[max(0, place - NEAR) : place]))
    for other in near:
        if not other.accepted or isinstance(other.decided, Refusal) or other.decided == moment.decided:
            continue
        step = world.step(moment.state, {**moment.others, moment.seat: other.decided})
        own = [refusal for refusal in step.refusals if refusal.seat in ("", moment.seat)]
        if own:
            return other.decided, own[0].code
    return None
