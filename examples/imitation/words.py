"""A vocabulary of words and phrases, and how a text is cut into them: as llama.cpp does it.

Three kinds of tokens. *Phrases* are what always stands together in the prompts, such as all rules of a
briefing; in the file they are tokens of the user's, which llama.cpp looks for first, the longest one first.
What is left is cut into *pieces* as Llama 3 does, and a piece that is in the vocabulary is a token. Any other
piece is spelt in *bytes*. *Marks* part the messages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

USER, ASSISTANT, END = "<|user|>", "<|assistant|>", "<|end|>"
MARKS = (USER, ASSISTANT, END)

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}<|assistant|> {{ message['content'] | trim }}<|end|>"
    "{% else %}<|user|>{{ message['content'] }}<|end|>{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
"""How a server joins messages. An answer begins with a space, so that its words are those of the briefing."""

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
            found = self._cached[text] = tuple(self._cut(text, 0))
        return found

    def _cut(self, text: str, at: int) -> Iterable[int]:
        for place in range(at, len(self._first)):
            phrase = self._first[place]
            if phrase in text:
                parts = text.split(phrase)
                for number, part in enumerate(parts):
                    if number:
                        yield self.number[phrase]
                    if part:
                        yield from self._cut(part, place + 1)
                return
        for piece in PIECES.findall(text):
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


def conversation(
    vocabulary: Vocabulary, messages: Sequence[Mapping[str, Any]]
) -> tuple[list[int], list[int]]:
    """(tokens, whether each is to be learnt) of a conversation, as the chat template joins it."""
    tokens: list[int] = []
    learnt: list[int] = []
    for message in messages:
        said = message["role"] == "assistant"
        content = f" {message['content'].strip()}" if said else message["content"]
        numbers = (*vocabulary.numbers(content), vocabulary.number[END])
        tokens += [vocabulary.number[ASSISTANT if said else USER], *numbers]
        learnt += [0, *[int(message.get("learnt", said))] * len(numbers)]
    return tokens, learnt


def learn(
    conversations: Sequence[Sequence[Mapping[str, Any]]], words: Iterable[str], least: int = 3
) -> Vocabulary:
    """A vocabulary of what occurs at least so often in these conversations, and of these words.

    Neighbours become a phrase where one of them stands nowhere else, and that in nearly all conversations:
    so whatever is always said in the same way is one token, and what may be otherwise is not.
    """
    rows = [
        [PIECES.findall(message["content"]) for message in each if message["role"] == "user"]
        for each in conversations
    ]
    counts = Counter(piece for texts in rows for pieces in texts for piece in pieces)
    phrases = [*_phrases(rows[:MOST_FOR_PHRASES]), "_1", "_2", "_3"]
    known = [piece for piece, times in counts.most_common() if times >= least]
    both = [form for word in words for form in (word, f" {word}", f"_{word}")]
    numbers = [str(number) for number in range(200)]
    signs = [" ", "\n", "_", "-", ":", ";", ",", "."]
    return Vocabulary(list(dict.fromkeys([*known, *both, *numbers, *signs])), phrases)


MOST_FOR_PHRASES = 200
"""Conversations in which phrases are looked for."""


def _phrases(conversations: Sequence[Sequence[list[str]]]) -> list[str]:
    """All that is always said in the same way, in nine of ten conversations; these are joined up."""
    while True:
        singles: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        spread: Counter[tuple[str, str]] = Counter()
        for texts in conversations:
            here = Counter(pair for pieces in texts for pair in pairwise(pieces))
            singles.update(piece for pieces in texts for piece in pieces)
            pairs.update(here)
            spread.update(here.keys())
        joined = {
            pair
            for pair, times in pairs.items()
            if spread[pair] >= 0.9 * len(conversations)
            and times >= 0.98 * min(singles[pair[0]], singles[pair[1]])
        }
        if not joined:
            break
        for texts in conversations:
            for pieces in texts:
                _join(pieces, joined)
    found = {piece for texts in conversations for pieces in texts for piece in pieces}
    return sorted(piece for piece in found if len(PIECES.findall(piece)) > 1 and len(piece) > 3)


def _join(pieces: list[str], pairs: set[tuple[str, str]]) -> None:
    place = 0
    while place < len(pieces) - 1:
        if (pieces[place], pieces[place + 1]) in pairs:
            pieces[place : place + 2] = ["".join(pieces[place : place + 2])]
        place += 1
