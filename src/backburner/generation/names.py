"""Names for the symbols of a draft, in a theme: one structure can be told of a pottery, of an archive, or in
words that mean nothing.

In a theme a name fits what it is given to: a vessel is called as a vessel of the trade, and a verb belongs to
its stage in the life of a material and takes about as long as in the trade. The lists stand in ``words/``.
In ``nonsense`` names say nothing of what they are given to: who plays knows no more than is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import UnknownName
from backburner.kernel.files import shipped
from backburner.kernel.generating import Draft, Naming, Rejected, Symbol

NONSENSE = "nonsense"

THEMES = ("archive", "bicycle_repair", "dye_works", "greenhouse", "pottery", "print_shop", NONSENSE)
"""What names can be taken from, in worlds that have no themes of their own."""


def themes_of(naming: Naming) -> tuple[str, ...]:
    """What a world's names can be taken from."""
    return (*naming.themes, NONSENSE) if naming.themes else THEMES


PREFIXES = ("pre", "rough", "fine", "double", "half")
"""What is put before verbs where a theme has too few."""


class Named(Struct, frozen=True):
    """A draft with names: its ``fields`` and the files ``beside`` it without a symbol, and the name of each
    symbol."""

    fields: dict[str, Any]
    beside: dict[str, dict[str, Any]]
    names: dict[str, str]


def named(draft: Draft, theme: str, naming: Naming, random: Random) -> Named:
    """The draft with a name for each symbol, its ``shuffled`` lists in an order that says nothing.

    The order is drawn before the names: of two themes that are given equal ``random``, only names differ. A
    draft without symbols keeps its texts. Raises ``Rejected`` where there are not enough names,
    ``UnknownName`` for another theme, ``LookupError`` for a place or symbol that the draft does not have.
    """
    fields = dict(draft.fields)
    for place in draft.shuffled:
        fields = _shuffled(fields, place, random)
    if not draft.symbols:
        return Named(fields, {path: dict(file) for path, file in draft.beside.items()}, {})
    words = _names_of(draft.symbols, theme, naming, random)
    told = _told(words)
    return Named(
        _with_names(fields, told),
        _with_names(draft.beside, told),
        {symbol: word.name for symbol, word in words.items()},
    )


# --- words --------------------------------------------------------------------------------------------------


class Word(Struct, frozen=True, array_like=True):
    """A name. A verb has its past participle, its stage, the span of minutes that it plausibly takes, and a
    preposition if it is a machine's."""

    name: str
    past: str = ""
    stage: int = 0
    least: float = 0
    most: float = 10_000
    preposition: str = ""

    def distance(self, minutes: float) -> float:
        """How far the minutes are from the span; 0 within it, and where nothing is said of minutes."""
        return max(self.least - minutes, minutes - self.most, 0) if minutes else 0


class Theme(Struct, frozen=True):
    """The names of each role; ``adjectives`` are put before nouns where there are too few."""

    adjectives: tuple[str, ...]
    nouns: dict[str, tuple[str, ...]]
    verbs: dict[str, tuple[Word, ...]]

    def words(self, symbol: Symbol) -> list[Word]:
        """The words of the symbol's role, and of its stage."""
        nouns = [Word(name) for name in self.nouns.get(symbol.role, ())]
        verbs = self.verbs.get(symbol.role, ())
        return nouns + [word for word in verbs if symbol.stage in (0, word.stage)]

    def longer(self, words: Iterable[Word]) -> list[Word]:
        """The words with something before them: ``blue_marl``, ``finesift``."""
        adjectives = [f"{adjective}_" for adjective in self.adjectives]
        return [
            replace(word, name=before + word.name, past=word.past and before + word.past)
            for word in words
            for before in (PREFIXES if word.past else adjectives)
        ]


class Syllables(Struct, frozen=True):
    """What words are made of that mean nothing; ``avoided``: what no such word has in it; ``words``: those
    that mean something all the same."""

    onsets: str
    vowels: str
    codas: str
    ends: str
    avoided: tuple[str, ...]
    words: frozenset[str]

    def draw(self, syllables: int, random: Random) -> str:
        """A word such as ``tarmi``; further syllables stand in its middle."""
        coda = random.choice([*self.codas, ""])
        letters = [self.onsets, self.vowels] * (syllables - 1) + [self.onsets, self.ends]
        drawn = [random.choice(some) for some in letters]
        return "".join((*drawn[:2], coda, *drawn[2:]))

    def is_blocked(self, word: str) -> bool:
        """Whether it means something, or has something in it that nobody wants to read."""
        return word in self.words or any(part in word for part in self.avoided)


def theme_words(theme: str, naming: Naming = Naming()) -> Theme:  # noqa: B008  # it is frozen
    """The lists of a theme; raises ``UnknownName``."""
    *plausible, _ = known = themes_of(naming)
    if theme not in plausible:
        raise UnknownName("theme", theme, known)
    return shipped(naming.package or "backburner.generation", theme, Theme, "words")


# --- which names --------------------------------------------------------------------------------------------


class _Taken:
    """The names of a scenario so far, and whether another can be told from them."""

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.reserved = {singular(word) for word in naming.reserved}
        self.names: set[str] = set()
        self.beginnings: set[str] = set()

    def takes(self, name: str) -> bool:
        """Take the name, if it is one: it matches the pattern, has no reserved word in it, and neither it nor
        its plural is another name or the first words of one."""
        if len(name) > self.naming.longest or not re.fullmatch(self.naming.pattern, name):
            return False
        plain = singular(name)
        beginnings = set(_beginnings(plain))
        if plain in self.names | self.beginnings or beginnings & self.names:
            return False
        if {plain, *map(singular, name.split("_"))} & self.reserved:
            return False
        self.names.add(plain)
        self.beginnings |= beginnings
        return True


def singular(name: str) -> str:
    """The name without the plural's ending, so that a name and its plural are equal."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if name.endswith(ending):
            return name.removesuffix(ending) + instead
    return name if name.endswith("ss") else name.removesuffix("s")


def _beginnings(name: str) -> Iterator[str]:
    words = name.split("_")
    for count in range(1, len(words)):
        yield singular("_".join(words[:count]))


def _names_of(symbols: Mapping[str, Symbol], theme: str, naming: Naming, random: Random) -> dict[str, Word]:
    taken = _Taken(naming)
    if theme == NONSENSE:
        names = _nonsense(len(symbols), taken, random)
        return {
            symbol: _word(name, symbols[symbol]) for symbol, name in zip(sorted(symbols), names, strict=True)
        }
    lists = theme_words(theme, naming)
    fitting = {symbol: lists.words(symbols[symbol]) for symbol in sorted(symbols)}

    def choice(symbol: str) -> int:
        return sum(word.distance(symbols[symbol].minutes) == 0 for word in fitting[symbol])

    found = {}
    for symbol in sorted(fitting, key=choice):  # who has least choice goes first
        found[symbol] = _fitting(symbols[symbol], fitting[symbol], lists, taken, random)
    return found


def _fitting(symbol: Symbol, words: Sequence[Word], lists: Theme, taken: _Taken, random: Random) -> Word:
    """One of the words that are nearest to the symbol's minutes, or one made longer if all are taken."""
    for distance in sorted({word.distance(symbol.minutes) for word in words}):
        near = [word for word in words if word.distance(symbol.minutes) == distance]
        for make in (list, lists.longer):
            some: list[Word] = make(near)
            random.shuffle(some)
            for word in some:
                if taken.takes(word.name):
                    return word
    raise Rejected(f"there are not enough names for another {symbol.role}")


TRIES = 20
"""How often a word of some length is drawn in vain before all others have a syllable more."""

MOST_SYLLABLES = 4
"""Of a word that means nothing."""


def _nonsense(count: int, taken: _Taken, random: Random) -> list[str]:
    """Words that mean nothing, any two at least three letters apart; of two syllables as long as there are
    such."""
    syllables = shipped("backburner.generation", NONSENSE, Syllables, "words")
    words: list[str] = []

    def is_new(word: str) -> bool:
        return not syllables.is_blocked(word) and all(apart(word, other) > 2 for other in words)

    length = 2
    while len(words) < count:
        drawn = (syllables.draw(length, random) for _ in range(TRIES))
        word = next((word for word in drawn if is_new(word) and taken.takes(word)), None)
        if word is not None:
            words.append(word)
        elif length == MOST_SYLLABLES:
            raise Rejected("there are not enough words that mean nothing")
        else:
            length += 1
    random.shuffle(words)  # the long ones came last
    return words


def _word(name: str, symbol: Symbol) -> Word:
    """The name, with a verb's forms if it is to be one; what a machine does, it does ``in`` something."""
    past = f"{name}ed" if symbol.role.endswith("verb") else ""
    return Word(name, past, preposition="in" if symbol.role == "machine verb" else "")


def apart(first: str, second: str) -> int:
    """How many letters have to be put in, left out or changed to make one word of the other."""
    row = list(range(len(second) + 1))
    for count, letter in enumerate(first, 1):
        before, row[0] = row[0], count
        for place, other in enumerate(second, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (letter != other)),
            )
    return row[-1]


# --- into the draft -----------------------------------------------------------------------------------------

_SYMBOL = re.compile(r"<([^<>\s]{1,60})>")


LETTERS = str.maketrans("0123456789", "abcdefghij")


def unnamed(draft: Draft) -> Mapping[str, Any]:
    """The fields with symbols as names, letters for digits: what a scenario is made of is the same."""
    words = {symbol: _word(symbol.translate(LETTERS), about) for symbol, about in draft.symbols.items()}
    found: Mapping[str, Any] = _with_names(draft.fields, _told(words)) if draft.symbols else draft.fields
    return found


def _told(words: Mapping[str, Word]) -> dict[str, str]:
    """What stands for each of a symbol's forms."""
    told = {}
    for symbol, word in words.items():
        told[symbol] = word.name
        if word.past:
            told[f"{symbol}.past"] = word.past
        if word.preposition:
            told[f"{symbol}.in"] = word.preposition
    return told


def _with_names(value: Any, told: Mapping[str, str]) -> Any:
    """The value with names for symbols in all its texts and keys; a name is not looked into again."""

    def name(found: re.Match[str]) -> str:
        if found[1] not in told:
            raise LookupError(f"a draft has <{found[1]}> in a text, and no such symbol")
        return told[found[1]]

    if isinstance(value, str):
        return _SYMBOL.sub(name, value)
    if isinstance(value, Mapping):
        return {_with_names(key, told): _with_names(item, told) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_names(item, told) for item in value]
    return value


def _shuffled(value: Any, place: str, random: Random) -> Any:
    """The value with the list at the place shuffled; where the way leads through a list, in each of its
    items that has it."""
    found = False

    def along(value: Any, steps: Sequence[str]) -> Any:
        nonlocal found
        if not steps and isinstance(value, list | tuple):
            found = True
            return random.sample(value, len(value))
        if isinstance(value, list | tuple):
            return [along(item, steps) for item in value]
        if steps and isinstance(value, Mapping) and steps[0] in value:
            return {**value, steps[0]: along(value[steps[0]], steps[1:])}
        return value

    changed = along(value, place.split("."))
    if not found:
        raise LookupError(f"a draft has no list at {place}")
    return changed
