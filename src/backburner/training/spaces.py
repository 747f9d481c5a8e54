"""What a learner sees and how it decides, as Gymnasium's spaces: in numbers, or in words.

They belong to some seats of a series: in environments of one learner to all its seats, in environments of
several agents to one each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import create_shared_memory
from numpy.typing import NDArray

from backburner.arrays.encoding import encoding_of
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.text import speaks
from backburner.kernel.turns import LONGEST_ANSWER
from backburner.kernel.values import Seat
from backburner.training.series import Series

FEATURES, TEXT = "features", "text"

LONGEST_OBSERVATION = 32_768
"""Characters of an observation in words; what is longer loses its end."""

LONGEST_SAMPLE = 200
"""Characters of what the action space draws. Answers may be longer."""


class SeatSpaces(Protocol):
    """What some seats of a series see, and how they decide."""

    @property
    def observation_space(self) -> spaces.Space[Any]:
        """What an observation is of."""

    @property
    def action_space(self) -> spaces.Space[Any]:
        """What an action is of."""

    def observation(self, begins: bool) -> Any:
        """What the seats see now; ``begins``: nothing of the episode has been shown yet."""

    def decisions(self, action: Any) -> Mapping[Seat, Any]:
        """What each seat that is asked decides with an action."""

    def masks(self) -> NDArray[np.int8]:
        """1 for each code on the menu, a row for each body. ``Refused`` where there are none."""


def spaces_of(
    series: Series, observation: str | None, seats: Sequence[Seat], numbers: str = FEATURES
) -> SeatSpaces:
    """The spaces of these seats; without a name, in numbers where the world has them, else in words.
    ``numbers``: what features are called in observations.

    Raises ``UnknownName``, and ``Refused`` where the world does not have what is asked for.
    """
    if observation is None:
        observation = FEATURES if series.encoding is not None else TEXT
    if observation == FEATURES:
        encoding_of(series.world)  # says why there is none
        return Features(series, seats, numbers)
    if observation == TEXT:
        return Words(series, seats)
    raise UnknownName("observation", observation, (FEATURES, TEXT))


class Features:
    """A row of numbers for each body, a mask, and a code for each body to decide with.

    A single body has no axis of its own: its features are one row, its action is one code.
    """

    def __init__(self, series: Series, seats: Sequence[Seat], name: str = FEATURES) -> None:
        encoding = series.encoding
        if encoding is None:
            raise Refused(f"{series.world.id}: this world has no encoding in numbers")
        self._series, self._encoding, self._seats = series, encoding, tuple(seats)
        self._bodies = {seat: len(encoding.bodies[seat]) for seat in seats}
        bodies, codes, width = sum(self._bodies.values()), len(encoding.actions), len(encoding.feature_names)
        self._name, self._single = name, bodies == 1
        shape = () if self._single else (bodies,)
        self.observation_space: spaces.Space[Any] = spaces.Dict(
            {
                name: spaces.Box(-1.0, 1.0, (*shape, width), np.float32),
                "action_mask": spaces.MultiBinary(codes if self._single else (bodies, codes)),
            }
        )
        self.action_space: spaces.Space[Any] = (
            spaces.Discrete(codes) if self._single else Codes([codes] * bodies)
        )

    def observation(self, begins: bool) -> dict[str, NDArray[Any]]:
        """The features, by their name, and ``action_mask``: new arrays each time."""
        features, masks = self.features(), self.masks()
        return {
            self._name: features[0] if self._single else features,
            "action_mask": masks[0] if self._single else masks,
        }

    def features(self) -> NDArray[np.float32]:
        """What each body sees."""
        state = self._series.state
        return np.array(
            [row for seat in self._seats for row in self._encoding.features(state, seat)], np.float32
        )

    def masks(self) -> NDArray[np.int8]:
        """What each body may do; code 0 alone where nobody is asked any more."""
        asked, rows = self._series.asked, []
        for seat in self._seats:
            if seat in asked:
                rows += [list(map(bool, row)) for row in self._encoding.mask(self._series.state, seat)]
            else:
                rows += [[True] + [False] * (len(self._encoding.actions) - 1)] * self._bodies[seat]
        return np.array(rows, np.int8)

    def decisions(self, action: Any) -> dict[Seat, Any]:
        """Each asked seat's codes, as the encoding reads them. Raises ``Refused`` for what are none."""
        codes, most = _flat(action), len(self._encoding.actions) - 1
        bodies = sum(self._bodies.values())
        if len(codes) != bodies or codes.dtype.kind not in "iu" or codes.min() < 0 or codes.max() > most:
            wanted = f"whole numbers from 0 to {most}, one for each body ({bodies})"
            raise Refused(f"{self._series.world.id}: codes are {wanted}, not {shorten(repr(action))}")
        asked, made, at = self._series.asked, {}, 0
        for seat, bodies in self._bodies.items():
            if seat in asked:
                own = [int(code) for code in codes[at : at + bodies]]
                made[seat] = self._encoding.decision(self._series.state, seat, own)
            at += bodies
        return made


def _flat(action: Any) -> NDArray[Any]:
    try:
        return np.asarray(action).reshape(-1)
    except ValueError:  # rows of unequal length
        return np.array([])


class Codes(spaces.MultiDiscrete):
    """A code for each of several bodies, drawn under a mask as observations have it: a row for each body."""

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """A code for each body; ``mask`` and ``probability`` may be arrays, or tuples of their rows."""
        rows = [tuple(given) if isinstance(given, np.ndarray) else given for given in (mask, probability)]
        return super().sample(*rows)


class Told(spaces.Text):
    """Texts. They do not go through shared memory: Gymnasium 1.4 reads those there once, before any is."""


@create_shared_memory.register(Told)
def _no_shared_memory(space: Told, n: int = 1, ctx: Any = None) -> Any:
    raise CustomSpaceError("texts do not go through shared memory; make the vector with shared_memory=False")


class Words:
    """What a seat is told, and what it answers: the briefing goes before the first description.

    Of several seats, a dictionary of these by seat. Answers are read as those of language models are: what
    cannot be read the world refuses.
    """

    def __init__(self, series: Series, seats: Sequence[Seat]) -> None:
        self._series, self._seats = series, tuple(seats)
        self._world: Any = series.world
        if not speaks(self._world):
            raise Refused(f"{self._world.id}: this world has no words")
        self._signs = signs_of(series.world)
        told = Told(LONGEST_OBSERVATION, min_length=0, charset=self._signs)
        said = Told(LONGEST_SAMPLE, min_length=0, charset=self._signs)
        self._single = len(self._seats) == 1
        self.observation_space: spaces.Space[Any] = self._each(told)
        self.action_space: spaces.Space[Any] = self._each(said)

    def _each(self, space: spaces.Text) -> spaces.Space[Any]:
        return space if self._single else spaces.Dict(dict.fromkeys(self._seats, space))

    def observation(self, begins: bool) -> str | dict[Seat, str]:
        """What each seat is told now."""
        told = {seat: self._told(seat, begins) for seat in self._seats}
        return told[self._seats[0]] if self._single else told

    def _told(self, seat: Seat, begins: bool) -> str:
        world = self._world
        text = world.describe(world.observe(self._series.state, seat))
        if begins:
            text = f"{world.briefing(seat)}\n\n{text}"
        return "".join([sign if sign in self._signs else "?" for sign in text[:LONGEST_OBSERVATION]])

    def masks(self) -> NDArray[np.int8]:
        """There are none."""
        raise Refused(f"{self._world.id}: there are masks with observation={FEATURES!r} only")

    def decisions(self, action: Any) -> dict[Seat, Any]:
        """Each asked seat's text, read. Raises ``Refused`` for what is no text."""
        answers = {self._seats[0]: action} if self._single else action
        if not isinstance(answers, Mapping) or not all(isinstance(each, str) for each in answers.values()):
            wanted = "a text" if self._single else f"a text for each of {', '.join(self._seats)}"
            raise Refused(f"{self._world.id}: an action is {wanted}, not {type(action).__name__}")
        return {
            seat: self._series.read(seat, answers[seat][:LONGEST_ANSWER])
            for seat in self._series.asked
            if seat in answers
        }


COMMON_SIGNS = frozenset("\n\t") | {chr(code) for code in range(0x20, 0x250) if chr(code).isprintable()}
"""The printable characters of Latin writing, in Unicode's first blocks."""

TYPOGRAPHIC_SIGNS = frozenset("–—‘’“”„•…′″€™←↑→↓−≈≠≤≥×·½¼¾")


def signs_of(world: Any) -> frozenset[str]:
    """The characters that texts of this world may have: Latin writing and its signs, and whatever its
    scenario and what its seats are told before play are written in."""
    own = msgspec.json.encode(world.scenario).decode()
    told = "".join(world.briefing(seat) for seat in world.seats)
    return COMMON_SIGNS | TYPOGRAPHIC_SIGNS | {sign for sign in own + told if sign.isprintable()}
