"""How many ways a backtracking matcher has to read a text by a pattern, and the texts that it has most of.

Python's ``re`` tries one way after the other. If the number of ways that reach a place of the text is
bounded, whatever the text, then each place is looked at so many times at most and reading is linear. It is
not bounded exactly if there are (Weber and Seidl, *On the degree of ambiguity of finite automata*, 1991)

- a state that two different ways lead back to by the same word: exponentially many, or
- two states ``p`` and ``q`` and a word that leads from ``p`` to ``p``, from ``p`` to ``q`` and from ``q`` to
  ``q``: at least one more for each repetition of the word.

Both are looked for in the automaton of a pattern, as the standard library's own parser reads it. Where the
automaton differs from the matcher it has more ways, never fewer: a lookahead's inside is a way like any
other, atomic groups may be left in the middle. Lookarounds of one letter, ``^``, ``$`` and ``\\b`` are exact,
and so is a repetition of single letters that never gives back (``\\w*+``). For ``search`` and its kin the
automaton may begin anywhere. From where matching has succeeded no way leads back: what was not tried before
never is.

There are tools of this kind (recheck, which needs a Java or Node machine; regexploit, not kept up since
2021); none that a test of Python can call and whose silence is a proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

EDGE = -1
"""Stands for the letter before a text's first and behind its last."""

SAMPLES = "".join(map(chr, range(128))) + "\x85\xa0\xb2é×İıſßKΩΣς٣ⅷ–“•中\u2028\u202e😀"
"""Letters of every kind that patterns tell apart; those of the pattern itself are added."""

Condition = Callable[[int, int], bool]
"""Whether something may stand between these two letters."""

State = tuple[int, int]
"""(a place of the pattern that has read a letter, the letter)."""

Three = tuple[State, State, State]

Graph = dict[State, dict[State, int]]


@dataclass(frozen=True)
class Finding:
    """``prefix + pump * n + anything`` has many ways: ``exponential`` or ``polynomial`` in ``n``."""

    kind: str
    prefix: str
    pump: str


class Automaton:
    """A pattern's automaton. ``whole``: for ``fullmatch``; ``anywhere``: for ``search`` and its kin.

    ``relaxed``: repetitions that end, such as ``{0,9}``, are taken for ones that never do.
    """

    def __init__(self, pattern: re.Pattern[str], anywhere: bool, whole: bool, relaxed: bool = False) -> None:
        self.relaxed, self.anywhere = relaxed, anywhere
        tree = sre_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self.flags = tree.state.flags
        self._tests: dict[int, frozenset[str]] = {}
        self.characters = sorted({*SAMPLES, *_around(pattern.pattern)})
        self.reads: dict[int, frozenset[str]] = {}
        self.free: dict[int, list[tuple[int, Condition | None]]] = {}
        self.beyond: dict[int, int] = {}
        self._made = 0
        self.accept = self._node()
        last = self.accept
        if whole:
            last = self._node((self.accept, lambda before, after: after == EDGE))
        first = self._sequence(tree, last, self.flags)
        self.begin = self._node((first, None))
        if anywhere:
            any_letter = self._letter(frozenset(self.characters), self.begin)
            self.free[self.begin].append((any_letter, None))
        self._make_classes()

    # --- the automaton: nodes that read a letter, and nodes that lead on freely ---------------------------

    def _node(self, *ways: tuple[int, Condition | None]) -> int:
        self._made += 1
        self.free[self._made] = list(ways)
        return self._made

    def _letter(self, letters: frozenset[str], then: int) -> int:
        self._made += 1
        self.reads[self._made], self.beyond[self._made] = letters, then
        return self._made

    def _sequence(self, items: Iterable[Any], then: int, flags: int) -> int:
        for item in reversed(list(items)):
            then = self._item(item, then, flags)
        return then

    def _item(self, item: Any, then: int, flags: int) -> int:
        op, argument = item
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._letter(self._letters(item, flags), then)
        if op is sre.BRANCH:
            return self._node(*((self._sequence(way, then, flags), None) for way in argument[1]))
        if op is sre.SUBPATTERN:
            _, added, removed, inside = argument
            return self._sequence(inside, then, (flags | added) & ~removed)
        if op is sre.ATOMIC_GROUP:
            return self._sequence(argument, then, flags)
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self._repeat(op is sre.POSSESSIVE_REPEAT, *argument, then, flags)
        if op is sre.AT:
            return self._node((then, self._at(argument, flags)))
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(op is sre.ASSERT, *argument, then, flags)
        if op is sre.GROUPREF:  # what a group has read before, which may be anything
            loop = self._node()
            anything = self._letter(frozenset(self.characters), loop)
            self.free[loop] = [(anything, None), (then, None)]
            return loop
        raise NotImplementedError(f"{op} is not understood")

    def _repeat(self, keeps: bool, least: int, most: int, inside: Any, then: int, flags: int) -> int:
        endless = most is sre.MAXREPEAT or (self.relaxed and most > 3)
        if keeps and endless and len(inside) == 1 and inside[0][0] in (sre.LITERAL, sre.IN, sre.ANY):
            letters = self._letters(inside[0], flags)
            then = self._node(
                (then, lambda before, after: after == EDGE or not letters & self.classes[after])
            )
        if endless:
            loop = self._node()
            self.free[loop] = [(self._sequence(inside, loop, flags), None), (then, None)]
            entry = loop
        else:
            entry = then
            for _ in range(most - least):
                entry = self._node((self._sequence(inside, entry, flags), None), (then, None))
        for _ in range(min(least, 3) if self.relaxed else least):
            entry = self._sequence(inside, entry, flags)
        return entry

    def _look(self, wanted: bool, direction: int, inside: Any, then: int, flags: int) -> int:
        """A lookaround: exact for one letter; a longer lookahead is one more way, which ends nowhere."""
        if len(inside) == 1 and inside[0][0] in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            letters = self._letters(inside[0], flags)

            def sees(before: int, after: int) -> bool:
                seen = before if direction < 0 else after
                return (seen != EDGE and bool(letters & self.classes[seen])) == wanted

            return self._node((then, sees))
        if direction < 0:  # as long as it is written, so that it costs no more at a longer text
            return then
        nowhere = self._letter(frozenset(), then)
        return self._node((self._sequence(inside, nowhere, flags), None), (then, None))

    def _at(self, where: Any, flags: int) -> Condition:
        if where in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            lines = where is sre.AT_BEGINNING and flags & re.MULTILINE
            return lambda before, after: before == EDGE or bool(lines and "\n" in self.classes[before])
        if where in (sre.AT_END, sre.AT_END_STRING):
            lines = (
                where is sre.AT_END
            )  # without MULTILINE the last line break alone, and that is one more way
            return lambda before, after: after == EDGE or bool(lines and "\n" in self.classes[after])

        def word(letter: int) -> bool:
            return letter != EDGE and next(iter(self.classes[letter])) in self._words

        if where is sre.AT_BOUNDARY:
            return lambda before, after: word(before) != word(after)
        if where is sre.AT_NON_BOUNDARY:
            return lambda before, after: word(before) == word(after)
        raise NotImplementedError(f"{where} is not understood")

    # --- letters --------------------------------------------------------------------------------------------

    def _letters(self, item: Any, flags: int) -> frozenset[str]:
        known = self._tests.get(id(item))
        if known is None:
            known = frozenset(
                c for c in self.characters if any(_reads(item, v, flags) for v in _cases(c, flags))
            )
            self._tests[id(item)] = known
        return known

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(c for c in self.characters if re.match(r"\w", c, self.flags & re.ASCII))

    def _make_classes(self) -> None:
        """Letters that no part of the pattern tells apart, as one."""
        sets = [*dict.fromkeys((*self._tests.values(), self._words, frozenset("\n")))]
        alike: dict[tuple[bool, ...], set[str]] = {}
        for character in self.characters:
            alike.setdefault(tuple(character in each for each in sets), set()).add(character)
        self.classes = [frozenset(each) for each in alike.values()]
        self.letters = [
            min(each, key=lambda c: (not c.isalnum(), not c.isprintable(), c)) for each in self.classes
        ]
        self.symbols = {
            node: [at for at, each in enumerate(self.classes) if each <= letters]
            for node, letters in self.reads.items()
        }

    # --- states and ways ------------------------------------------------------------------------------------

    @cached_property
    def _ways(self) -> dict[int, list[tuple[int, tuple[Condition, ...]]]]:
        """From each node that has read, and from the beginning, every free way to a node that reads next."""
        return {node: list(self._free_ways(self.beyond[node])) for node in self.reads} | {
            self.begin: list(self._free_ways(self.begin))
        }

    def _free_ways(self, start: int) -> Iterator[tuple[int, tuple[Condition, ...]]]:
        """Each goes over a node once: the matcher enters no iteration that reads nothing twice."""
        stack: list[tuple[int, tuple[int, ...], tuple[Condition, ...]]] = [(start, (), ())]
        while stack:
            node, over, conditions = stack.pop()
            if node in self.reads or node == self.accept:
                yield node, conditions
            elif node not in over:
                for then, condition in self.free[node]:
                    more = conditions if condition is None else (*conditions, condition)
                    stack.append((then, (*over, node), more))

    @cached_property
    def _successes(self) -> dict[int, list[tuple[Condition, ...]]]:
        """For each node, under which conditions matching has succeeded there."""
        return {node: [c for then, c in ways if then == self.accept] for node, ways in self._ways.items()}

    def _succeeds(self, state: State, after: int) -> bool:
        """Whether matching has succeeded in a state that this letter follows."""
        node, before = state
        return any(all(each(before, after) for each in conditions) for conditions in self._successes[node])

    @cached_property
    def graph(self) -> Graph:
        """Every state that can be reached, with the states that follow it and the number of ways there.

        Of a pattern that is looked for, what follows a match is the next search.
        """
        graph: Graph = {}
        todo: list[State] = [(self.begin, EDGE)]
        while todo:
            state = todo.pop()
            if state not in graph:
                graph[state] = self._following(state, self._ways[state[0]])
                if self.anywhere:
                    for then, number in self._following(state, self._ways[self.begin]).items():
                        if self._succeeds(state, then[1]):
                            graph[state].setdefault(then, number)
                todo += graph[state]
        return graph

    @cached_property
    def entered(self) -> Graph:
        """As ``graph``, within one match."""
        return {state: self._following(state, self._ways[state[0]]) for state in self.graph}

    @cached_property
    def tried(self) -> Graph:
        """As ``entered``, with those ways alone that may be given up: before matching has succeeded."""
        return {
            state: {then: number for then, number in ways.items() if not self._succeeds(state, then[1])}
            for state, ways in self.entered.items()
        }

    def _following(self, state: State, ways: Sequence[tuple[int, tuple[Condition, ...]]]) -> dict[State, int]:
        following: dict[State, int] = {}
        for then, conditions in ways:
            for letter in self.symbols.get(then, ()):
                if all(condition(state[1], letter) for condition in conditions):
                    following[then, letter] = following.get((then, letter), 0) + 1
        return following

    # --- findings -------------------------------------------------------------------------------------------

    def findings(self) -> Iterator[Finding]:
        """A text for each loop with exponentially many ways, and for each that is entered again and again."""
        on_the_way = _loops(self.graph)
        for loop in _loops(self.tried):
            if found := self._doubled(loop):
                yield found
            leading = _leading_to(loop, self.tried)
            for first in on_the_way:
                if found := self._one_more(first, leading, loop):
                    yield found
                    break

    def _doubled(self, loop: frozenset[State]) -> Finding | None:
        """Two ways apart within a loop that meet again."""
        inside = {state: [then for then in self.tried[state] if then in loop] for state in loop}
        for state in loop:
            for then in inside[state]:
                if self.tried[state][then] > 1:
                    back = self._word(then, {state}, loop)
                    return Finding("exponential", self._prefix(state), self._text([then[1], *back]))
        seen: dict[tuple[State, State], tuple[tuple[State, State] | None, State]] = {}
        todo: list[tuple[State, State]] = []
        for state in loop:
            for one in inside[state]:
                for other in inside[state]:
                    if one != other and one[1] == other[1] and (one, other) not in seen:
                        seen[one, other] = (None, state)
                        todo.append((one, other))
        while todo:
            pair = todo.pop()
            for one in inside[pair[0]]:
                for other in inside[pair[1]]:
                    if one[1] != other[1] or (one, other) in seen:
                        continue
                    if one == other:
                        letters, at = [one[1]], pair
                        while True:
                            letters.append(at[0][1])
                            before, apart = seen[at]
                            if before is None:
                                break
                            at = before
                        word = [*reversed(letters), *self._word(one, {apart}, loop)]
                        return Finding("exponential", self._prefix(apart), self._text(word))
                    seen[one, other] = (pair, pair[0])
                    todo.append((one, other))
        return None

    def _one_more(
        self, first: frozenset[State], leading: frozenset[State], second: frozenset[State]
    ) -> Finding | None:
        """A word that leads from ``p`` to itself, to ``q``, and from ``q`` to itself."""
        for p in first:
            if not leading.intersection(self.entered[p]):
                continue
            for q in second:
                if p[1] != q[1] or p == q:
                    continue
                if word := self._common_word((p, p, q), (p, q, q), first, leading, second):
                    return Finding("polynomial", self._prefix(p), self._text(word))
        return None

    def _common_word(
        self,
        start: Three,
        end: Three,
        first: frozenset[State],
        leading: frozenset[State],
        second: frozenset[State],
    ) -> list[int]:
        came: dict[Three, Three | None] = {start: None}
        todo = [start]
        while todo:
            triple = todo.pop()
            leaving = self.entered if triple == start else self.tried
            for a, b, c in product(self.graph[triple[0]], leaving[triple[1]], self.tried[triple[2]]):
                then = (a, b, c)
                if (
                    not a[1] == b[1] == c[1]
                    or then in came
                    or not (a in first and b in leading and c in second)
                ):
                    continue
                came[then] = triple
                if then == end:
                    return _letters_back(then, came)
                todo.append(then)
        return []

    # --- texts ----------------------------------------------------------------------------------------------

    def repetitions(self) -> Iterator[tuple[str, str]]:
        """(prefix, what is repeated) for each place that a text can lead to again and again."""
        seen = set()
        for loop in _loops(self.graph):
            for state in sorted(loop):
                pump = self._text(self._word(state, {state}, loop))
                if (state[0], pump) not in seen:
                    seen.add((state[0], pump))
                    yield self._prefix(state), pump

    def _prefix(self, state: State) -> str:
        return self._text(self._word((self.begin, EDGE), {state}, None))

    def _text(self, letters: Sequence[int]) -> str:
        return "".join(self.letters[letter] for letter in letters)

    def _word(self, start: State, ends: set[State], within: frozenset[State] | None) -> list[int]:
        """The letters of a shortest way, of one step at least."""
        came: dict[State, State] = {}
        todo = [start]
        while todo:
            following: list[State] = []
            for state in todo:
                for then in self.graph[state]:
                    if then in came or (within is not None and then not in within):
                        continue
                    came[then] = state
                    if then in ends:
                        letters = [then[1]]
                        while (then := came[then]) != start:
                            letters.append(then[1])
                        return letters[::-1]
                    following.append(then)
            todo = following
        return []


def _letters_back(end: Three, came: dict[Three, Three | None]) -> list[int]:
    letters = []
    while (before := came[end]) is not None:
        letters.append(end[0][1])
        end = before
    return letters[::-1]


def _leading_to(target: frozenset[State], graph: Graph) -> frozenset[State]:
    """The states from which a way leads to one of these."""
    before: dict[State, list[State]] = {}
    for state, following in graph.items():
        for then in following:
            before.setdefault(then, []).append(state)
    found, todo = set(target), list(target)
    while todo:
        for state in before.get(todo.pop(), ()):
            if state not in found:
                found.add(state)
                todo.append(state)
    return frozenset(found)


def _loops(graph: Graph) -> list[frozenset[State]]:
    """The strongly connected parts in which one can go on for ever."""
    parts = _components(graph)
    return [part for part in parts if len(part) > 1 or any(state in graph[state] for state in part)]


def _around(pattern: str) -> set[str]:
    """The letters of a pattern and their neighbours, which its ranges tell apart."""
    near = {chr(code) for c in pattern for code in range(ord(c) - 1, ord(c) + 2) if 0 <= code < 0x110000}
    return {case for c in near for case in (c, c.lower(), c.upper()) if len(case) == 1}


def _cases(c: str, flags: int) -> set[str]:
    if not flags & re.IGNORECASE:
        return {c}
    return {each for each in (c, c.lower(), c.upper(), c.upper().lower()) if len(each) == 1}


def _reads(item: Any, c: str, flags: int) -> bool:
    """Whether one item of a pattern, of those that read a letter, reads this one."""
    op, argument = item
    if op is sre.LITERAL:
        return ord(c) == argument
    if op is sre.NOT_LITERAL:
        return ord(c) != argument
    if op is sre.ANY:
        return c != "\n" or bool(flags & re.DOTALL)
    negated = argument[0][0] is sre.NEGATE
    return any(_in(part, c, flags) for part in argument[negated:]) != negated


CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _in(part: Any, c: str, flags: int) -> bool:
    op, argument = part
    if op is sre.LITERAL:
        return ord(c) == argument
    if op is sre.RANGE:
        return bool(argument[0] <= ord(c) <= argument[1])
    return re.match(CATEGORIES[argument], c, flags & re.ASCII) is not None


def _components(graph: Graph) -> list[frozenset[State]]:
    """Tarjan's strongly connected components."""
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    open_: dict[State, None] = {}
    found: list[frozenset[State]] = []
    for root in graph:
        if root in index:
            continue
        stack = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        open_[root] = None
        while stack:
            state, following = stack[-1]
            for then in following:
                if then not in index:
                    index[then] = low[then] = len(index)
                    open_[then] = None
                    stack.append((then, iter(graph[then])))
                    break
                if then in open_:
                    low[state] = min(low[state], index[then])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[state])
                if low[state] == index[state]:
                    part = []
                    while True:
                        last, _ = open_.popitem()
                        part.append(last)
                        if last == state:
                            break
                    found.append(frozenset(part))
    return found
