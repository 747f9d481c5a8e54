"""Record files: readable at any point, finished only when they are, strict about what they hold."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.episode import (
    CLOCKED,
    Answer,
    Ending,
    Entry,
    Episode,
    EpisodeFile,
    Header,
    Lines,
    Player,
    encode_line,
    part_written_here,
    read_episode,
    write_episode,
)
from backburner.kernel.errors import BadFile
from backburner.kernel.play import play_now
from backburner.kernel.values import Event, Fault, Refusal, Thought, Usage
from support.policies import Answers
from support.small_worlds.relay import Limits, Relay


@pytest.fixture(scope="module")
def episode() -> Episode:
    """Five decision points: somebody speaks, somebody is not understood, somebody answers."""
    return play_now(Relay(Limits(steps=3)), Answers("say 红 first", "nonsense", "nod"))


@pytest.fixture(scope="module")
def lines(episode: Episode) -> list[bytes]:
    chained = Lines()
    return [chained.line(record) for record in episode.records()]


# --- reading at any cut point ------------------------------------------------------------------------


def test_a_file_cut_at_any_byte_reads_up_to_there_or_says_what_is_wrong(
    lines: list[bytes], tmp_path: Path
) -> None:
    """A whole header is needed; after it, every line that is all there counts, its break aside."""
    whole = b"".join(lines)
    file = tmp_path / "cut.jsonl"
    ends = [sum(map(len, lines[: n + 1])) - 1 for n in range(len(lines))]
    for cut in range(len(whole)):
        file.write_bytes(whole[:cut])
        readable = sum(end <= cut for end in ends)
        if readable == 0:
            with pytest.raises(BadFile, match=r"cut\.jsonl: line 1"):
                read_episode(file)
        else:
            found = read_episode(file)
            assert len(found.entries) == min(readable - 1, len(lines) - 2), cut
            assert (found.ending is not None) == (readable == len(lines)), cut
            assert found.finished == (readable == len(lines)), cut


texts = st.text(st.characters(codec="utf-8"), max_size=20)
times = st.integers(0, 10**6) | st.floats(0, 10**6)
refusals = st.builds(
    Refusal,
    code=texts,
    fault=st.sampled_from(Fault),
    detail=st.lists(st.tuples(texts, texts | st.integers() | st.none()), max_size=2).map(tuple),
    seat=texts,
    index=st.integers(0, 9),
)
events = st.builds(
    Event,
    time=times,
    what=st.sampled_from(["start", "pause", "resume", "end", "score", "delivered", "expired", "said"]),
    lane=texts,
    label=texts,
    key=texts,
    kind=st.sampled_from(["work", "wait", "refused"]),
    value=st.none() | times,
)
answers = st.builds(
    Answer,
    decision=st.none() | st.dictionaries(texts, st.integers() | texts, max_size=2),
    text=st.none() | texts,
    unread=st.none() | refusals,
    thoughts=st.lists(st.builds(Thought, purpose=texts, text=texts), max_size=2).map(tuple),
)
usage = st.builds(
    Usage, seconds=st.floats(0, 100), calls=st.integers(0, 9), output_tokens=st.integers(0, 10**15)
)
entries = st.builds(
    Entry,
    index=st.just(0),
    answers=st.dictionaries(texts, answers, max_size=2),
    digest=texts,
    events=st.lists(events, max_size=2).map(tuple),
    refusals=st.lists(refusals, max_size=2).map(tuple),
    usage=st.dictionaries(texts, usage, max_size=1),
)
endings = st.builds(
    Ending,
    status=st.sampled_from(["ended", "cut off", "failed", "interrupted", "capped"]),
    reason=texts,
    numbers=st.dictionaries(texts, times, max_size=3),
    steps=st.integers(0, 10**6),
    error=texts,
)


@dataclass
class Drawn:
    """An episode of any content with a place to cut its file."""

    entries: list[Entry]
    ending: Ending | None
    cut: float


@given(st.builds(Drawn, st.lists(entries, max_size=4), st.none() | endings, st.floats(0, 1)))
def test_whatever_was_written_is_read_back_as_far_as_it_goes(
    tmp_path_factory: pytest.TempPathFactory, episode: Episode, drawn: Drawn
) -> None:
    file = tmp_path_factory.mktemp("drawn") / "episode.jsonl"
    numbered = tuple(replace(entry, index=index) for index, entry in enumerate(drawn.entries))
    written = Episode(episode.header, numbered, drawn.ending)
    write_episode(written, file)
    read = read_episode(file)
    assert (read.entries, read.ending) == (written.entries, written.ending)

    header = file.read_bytes().index(b"\n") + 1
    whole = file.read_bytes()
    file.write_bytes(whole[: header + int(drawn.cut * (len(whole) - header))])
    torn = read_episode(file)
    assert torn.entries == written.entries[: len(torn.entries)]
    assert torn.ending in (None, written.ending)


# --- what is not a record ----------------------------------------------------------------------------


NO_HEADER = "line 1: an episode record starts with its header"
NOT_A_LINE = "line 2: not a record line"
SPOILT: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "nothing at all": (lambda lines: [], NO_HEADER),
    "no header": (lambda lines: lines[1:], NO_HEADER),
    "two headers": (lambda lines: [lines[0], *lines], "line 2: expected step 0"),
    "a step is missing": (lambda lines: [lines[0], *lines[2:]], "line 2: expected step 0"),
    "steps changed places": (lambda lines: [lines[0], lines[2], lines[1]], "line 2: expected step 0"),
    "a step twice": (lambda lines: [*lines[:2], *lines[1:]], "line 3: expected step 1"),
    "it ends too early": (lambda lines: [*lines[:2], lines[-1], *lines[2:]], "line 3: expected step 1"),
    "it ends twice": (lambda lines: [*lines, lines[-1]], "line 7: expected step 5"),
    "an object of no kind": (lambda lines: [lines[0], b"{}\n", *lines[1:]], NOT_A_LINE),
    "an empty line": (lambda lines: [lines[0], b"\n", *lines[1:]], NOT_A_LINE),
    "nested too deep": (lambda lines: [lines[0], b"[" * 100_000 + b"\n"], NOT_A_LINE),
    "another kind of file": (lambda lines: [b"PK\x03\x04\xff\xfe"], "line 1: not a record line"),
    "half a header": (lambda lines: [b'{"record":"header"}\n'], "line 1: not a record line .*format"),
    "a field is missing": (
        lambda lines: [lines[0], lines[1].replace(b'"digest"', b'"digset"'), *lines[2:]],
        "line 2: .*unknown field `digset`",
    ),
    "a field of another type": (
        lambda lines: [lines[0], lines[1].replace(b'"time":0', b'"time":"0"'), *lines[2:]],
        r"line 2: .*events\[0\]\.time",
    ),
    "another format": (
        lambda lines: [lines[0].replace(b'"format":2', b'"format":4'), *lines[1:]],
        f"line 1, field 'format': format 4; this version reads 1 to {CLOCKED}$",
    ),
    "the format of a record with a clock": (
        lambda lines: [lines[0].replace(b'"format":2', b'"format":3'), *lines[1:]],
        f"line 1, field 'format': format {CLOCKED} is that of records with a clock, and of no others$",
    ),
}


@pytest.mark.parametrize(("spoil", "message"), SPOILT.values(), ids=SPOILT)
def test_anything_else_is_refused_with_file_line_and_field(
    lines: list[bytes], tmp_path: Path, spoil: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    file = tmp_path / "spoilt.jsonl"
    file.write_bytes(b"".join(spoil(lines)))
    with pytest.raises(BadFile, match=rf"spoilt\.jsonl: .*{message}"):
        read_episode(file)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nowhere\.jsonl: No such file"):
        read_episode(tmp_path / "nowhere.jsonl")
    with pytest.raises(BadFile, match=str(tmp_path)):
        read_episode(tmp_path)


# --- writing -----------------------------------------------------------------------------------------


def test_the_file_bears_its_name_only_when_it_is_finished(episode: Episode, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "episode.jsonl"
    with EpisodeFile(path) as file:
        for count, record in enumerate(episode.records()):
            file.write(record)
            assert not path.exists()
            assert len(file.part.read_bytes().splitlines()) == count + 1
        file.finish()
    assert path.exists()
    assert not file.part.exists()
    assert list(path.parent.iterdir()) == [path]


def test_an_error_on_the_way_leaves_a_readable_part(episode: Episode, tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    with pytest.raises(ZeroDivisionError), EpisodeFile(path) as file:
        file.write(episode.header)
        file.write(episode.entries[0])
        raise ZeroDivisionError
    assert not path.exists()
    half = read_episode(file.part)
    assert (half.entries, half.ending, half.finished) == (episode_entries(episode)[:1], None, False)


def episode_entries(episode: Episode) -> tuple[Entry, ...]:
    """The entries as they are read back, with decisions as plain JSON."""
    return tuple(msgspec.json.decode(encode_line(entry), type=Entry) for entry in episode.entries)


def test_a_finished_file_replaces_an_older_one_at_once(episode: Episode, tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    path.write_text("older")
    with EpisodeFile(path) as file:
        file.write(episode.header)
        assert path.read_text() == "older"
        file.finish()
    assert read_episode(path).entries == ()


def test_a_closed_file_takes_no_record(episode: Episode, tmp_path: Path) -> None:
    file = EpisodeFile(tmp_path / "episode.jsonl")
    with pytest.raises(ValueError, match="not open"):
        file.write(episode.header)


WRITER = """
import sys
from pathlib import Path
from backburner.kernel.episode import Entry, EpisodeFile, read_episode
whole = read_episode(sys.argv[1])
with EpisodeFile(Path(sys.argv[2])) as file:
    for record in whole.records():
        file.write(record)
        if isinstance(record, Entry) and record.index == 1:
            print(file.part, flush=True)
            sys.stdin.read()
    file.finish()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL on this system")
def test_a_killed_writer_leaves_whole_lines_and_no_finished_file(episode: Episode, tmp_path: Path) -> None:
    """The writer says when it has written two steps of five, and waits; then it is killed."""
    source, target = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    write_episode(episode, source)
    command = [sys.executable, "-c", WRITER, str(source), str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        part = Path(writer.stdout.readline().strip())
        writer.kill()
    assert writer.returncode == -signal.SIGKILL
    assert not target.exists()
    assert part.name.startswith("killed.jsonl.part-")
    assert part_written_here(part) == ("killed.jsonl", writer.pid)
    found = read_episode(part)
    assert found.entries == episode_entries(episode)[:2]
    assert not found.finished


# --- what a record says ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "finished"), [("ended", True), ("failed", True), ("capped", True), ("interrupted", False)]
)
def test_only_an_interrupted_episode_is_to_be_played_again(
    episode: Episode, status: Any, finished: bool
) -> None:
    ending = Ending(status, "", {}, 3)
    assert replace(episode, ending=ending).finished is finished
    assert replace(episode, ending=None).finished is False


def test_the_header_names_rules_and_players(episode: Episode) -> None:
    header = replace(episode.header, rules={"name": "released"})
    assert header.rules_name == "released"
    assert replace(header, rules=[1]).rules_name == "custom"
    three = {"one": Player("oracle"), "two": Player("oracle"), "three": Player("random")}
    assert replace(header, players=three, seats=tuple(three)).agent == "oracle + oracle + random"


def test_players_are_named_in_the_order_of_the_seats_also_when_read_again(episode: Episode) -> None:
    """JSON sorts its keys: the assistant would come before the chef."""
    pair = {"chef": Player("good"), "assistant": Player("poor")}
    header = replace(episode.header, players=pair, seats=("chef", "assistant"))
    again = msgspec.json.decode(encode_line(header), type=Header)
    assert list(again.players) == ["assistant", "chef"]
    assert again.agent == header.agent == "good + poor"


def test_costs_and_empty_fields_take_no_room() -> None:
    assert encode_line(Entry(0, {}, "d")) == b'{"record":"step","index":0,"answers":{},"digest":"d"}\n'
