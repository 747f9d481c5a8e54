"""A vocabulary of names and phrases, and how a text is cut into them: as llama.cpp does it.

Three kinds of tokens. *Phrases* are tokens of the user's, which llama.cpp looks for first, the longest one
first: names of things, verbs and states, and what always stands between them, such as all rules of a
briefing. A name is one and the same token wherever it stands, so that it can be found again, and copied,
without having been met before. What is left is cut into *pieces* as Llama 3 does, and a piece that is in the
vocabulary is a token. Any other piece is spelt in *bytes*. *Marks* part the messages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

USER, ASSISTANT, END = "<|user|>", "<|assistant|>", "<|end|>"
MARKS = (USER, ASSISTANT, END)

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}<|assistant|>{{ message['content'] | trim }}<|end|>"
    "{% else %}<|user|>{{ message['content'] }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
"""How a server joins messages."""

PIECES = re.compile(
    r"'(?:[sdmt]|ll|ve|re)|[^\r\n\w]?[^\W\d_]+|_[^\W\d_]+|\d{1,3}|[ ]?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    re.IGNORECASE,
)
"""Words with the sign before them, numbers of up to three digits, signs, line breaks, blanks."""


def _letters() -> dict[int, str]:
    """GPT-2's spelling of bytes: printable ones stand for themselves, the others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in printable)
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + n) for n, byte in enumerate(others)}


LETTERS = _letters()


def spelt(text: str) -> str:
    """A piece as vocabularies write it, byte by byte."""
    return "".join(LETTERS[byte] for byte in text.encode())


class Vocabulary:
    """The tokens, and a text's numbers in them."""

    def __init__(self, pieces: Sequence[str], phrases: Sequence[str]) -> None:
        self.pieces, self.phrases = list(pieces), list(phrases)
        single = sorted(LETTERS.values())
        known = dict.fromkeys(single)
        self.normal = [*single, *dict.fromkeys(p for p in map(spelt, pieces) if p not in known)]
        self.tokens = [*self.normal, *self.phrases, *MARKS]
        self.number = {token: number for number, token in enumerate(self.tokens)}
        self._whole = {piece: self.number[spelt(piece)] for piece in pieces}
        self._first = sorted(self.phrases, key=lambda phrase: -len(phrase.encode()))
        self._cached: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.tokens)

    def numbers(self, text: str) -> tuple[int, ...]:
        """The tokens of a text without marks."""
        found = self._cached.get(text)
        if found is None:
            found = self._cached[text] = tuple(self._cut(text))
        return found

    def parts(self, text: str) -> list[tuple[str, bool]]:
        """The text cut into phrases and what is between them; whether each is a phrase."""
        parts = [(text, False)]
        for phrase in self._first:
            if phrase in text:
                parts = [small for part in parts for small in _parted(part, phrase)]
        return parts

    def _cut(self, text: str) -> Iterable[int]:
        for part, phrase in self.parts(text):
            if phrase:
                yield self.number[part]
                continue
            for piece in PIECES.findall(part):
                whole = self._whole.get(piece)
                if whole is not None:
                    yield whole
                else:
                    yield from (self.number[LETTERS[byte]] for byte in piece.encode())

    def save(self, path: Path) -> None:
        """Write the vocabulary as JSON."""
        path.write_text(json.dumps({"pieces": self.pieces, "phrases": self.phrases}), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """What ``save`` wrote."""
        found = json.loads(path.read_text(encoding="utf-8"))
        return cls(found["pieces"], found["phrases"])


def _parted(part: tuple[str, bool], phrase: str) -> Iterable[tuple[str, bool]]:
    text, whole = part
    if whole or phrase not in text:
        yield part
        return
    for number, piece in enumerate(text.split(phrase)):
        if number:
            yield phrase, True
        if piece:
            yield piece, False


NOTHING, BESIDE, ANSWER = 0, 1, 2
"""What a token is to whoever learns: a slip's, somebody else's, an answer's."""


def conversation(
    vocabulary: Vocabulary, messages: Sequence[Mapping[str, Any]]
) -> tuple[list[int], list[int]]:
    """(tokens, what each is to whoever learns) of a conversation, as the chat template joins it."""
    tokens: list[int] = []
    kinds: list[int] = []
    for message in messages:
        if message["role"] == "assistant":
            numbers = (*vocabulary.numbers(message["content"].strip()), vocabulary.number[END])
            tokens += [vocabulary.number[ASSISTANT], *numbers]
            kinds += [NOTHING, *[ANSWER if message.get("learnt", True) else NOTHING] * len(numbers)]
        else:
            numbers = vocabulary.numbers(message["content"])
            tokens += [vocabulary.number[USER], *numbers]
            kinds += [NOTHING, *[BESIDE] * len(numbers)]
    return tokens, kinds


# --- learning a vocabulary -------------------------------------------------------------------------------

OFTEN = 0.005
"""In what share of the conversations something has to stand to become a phrase."""


def learn(conversations: Sequence[Sequence[Mapping[str, Any]]], names: Iterable[str]) -> Vocabulary:
    """A vocabulary of these names, of what often stands between them, and of other words that occur.

    Lines that often stand in briefings are phrases as well: so whatever is always said in the same way is
    one token, and what may be otherwise is not.
    """
    spoken = [[message["content"] for message in each if message["role"] == "user"] for each in conversations]
    least = max(3, OFTEN * len(spoken))
    first = zip(*(texts[0].splitlines(keepends=True) for texts in spoken), strict=False)
    beginning = "".join(line for line, *_ in takewhile(lambda lines: len(set(lines)) == 1, first))
    names = list(dict.fromkeys(names))
    lines = _often(least, (set(texts[0].splitlines(keepends=True)) for texts in spoken))
    lines = [
        beginning.removesuffix("\n"),
        *(line for line in lines if len(line) > 10 and line not in beginning),
    ]
    line = re.compile(_any_of(lines))
    name = re.compile(rf"(?<!\w)(?:{_any_of(names)}|\d+)(?:_\d+)?(?!\w)")
    between = _often(
        least,
        (
            {part for text in texts for rest in line.split(text) for part in name.split(rest)}
            for texts in spoken
        ),
    )
    endings = [f"_{number}" for number in range(1, 5)]
    endings += [f" (only for task {number})" for number in range(1, 4)]
    between = [part for part in between if len(part) > 1]
    phrases = [each for each in dict.fromkeys([*lines, *names, *endings, *between]) if each]
    numbers = [str(number) for number in range(200)]
    pieces = [*_leftovers(Vocabulary([], phrases), spoken), *numbers, " ", "\n", "_", "-", ":", ";", ",", "."]
    return Vocabulary(list(dict.fromkeys(pieces)), phrases)


def _any_of(texts: Iterable[str]) -> str:
    """A pattern for any of them, the longest first."""
    return "|".join(re.escape(text) for text in sorted(filter(None, texts), key=len, reverse=True)) or "(?!)"


def _often(least: float, found: Iterable[Iterable[str]]) -> list[str]:
    """What is in so many of these."""
    return [part for part, times in Counter(chain.from_iterable(found)).items() if times >= least]


def _leftovers(vocabulary: Vocabulary, spoken: Iterable[Sequence[str]], least: int = 3) -> list[str]:
    """Pieces of what no phrase covers."""
    counts: Counter[str] = Counter()
    for text in chain.from_iterable(spoken):
        parts = (part for part, phrase in vocabulary.parts(text) if not phrase)
        counts.update(piece for part in parts for piece in PIECES.findall(part))
    return [piece for piece, times in counts.items() if times >= least and not piece.isdigit()]
