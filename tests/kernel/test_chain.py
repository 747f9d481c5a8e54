"""Lines chained to those before them: what was changed, dropped, doubled or moved is told with its line."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.bounds import MOST_NESTED
from backburner.kernel.chain import START, Chain, check_size, check_spelling, lines_of, parted
from backburner.kernel.episode import (
    UNCHAINED,
    Episode,
    EpisodeFile,
    Lines,
    encode_line,
    read_episode,
    read_record,
    write_episode,
)
from backburner.kernel.errors import BadFile
from backburner.kernel.play import play_now
from support.policies import Answers
from support.small_worlds.relay import Limits, Relay


@pytest.fixture(scope="module")
def episode() -> Episode:
    return play_now(Relay(Limits(steps=3)), Answers("say 红 first", "nonsense", "nod"))


def test_a_chain_is_the_digest_of_the_former_chain_and_the_line_without_it() -> None:
    """By hand, so that anybody can follow a chain without this package."""
    chain = Chain()
    first = chain.line(b'{"a":1}')
    digest = blake2b(START + b'{"a":1}', digest_size=32)
    assert first == b'{"a":1,"chain":"%b"}\n' % digest.hexdigest().encode()
    second = blake2b(digest.digest() + b'{"b":2}', digest_size=32)
    assert chain.line(b'{"b":2}') == b'{"b":2,"chain":"%b"}\n' % second.hexdigest().encode()


def test_a_chain_goes_on_from_the_last_line_that_is_there(episode: Episode) -> None:
    """Which is all that is needed to take up a record that was begun."""
    whole = Lines()
    lines = [whole.line(record) for record in episode.records()]
    seal = parted(lines[2].rstrip(b"\n")).seal
    assert seal is not None
    further = Chain(bytes.fromhex(seal.chain))
    records = list(episode.records())
    assert [further.line(encode_line(record)[:-1]) for record in records[3:]] == lines[3:]


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8")), st.integers() | st.text(st.characters(codec="utf-8"))
    )
)
def test_a_line_is_taken_apart_into_what_was_chained(value: dict[str, object]) -> None:
    """Whatever it holds, a text that looks like a chain included."""
    value.pop("chain", None)
    body = msgspec.json.encode({"record": "x", **value, "chain": "0" * 64})
    line = Chain().line(body)
    assert parted(line[:-1]).body == body and parted(body).body != body


@pytest.mark.parametrize("at", range(6))
def test_a_change_is_told_with_its_line(episode: Episode, tmp_path: Path, at: int) -> None:
    file = tmp_path / "episode.jsonl"
    write_episode(episode, file)
    lines = file.read_bytes().splitlines(keepends=True)
    place = lines[at].index(b'"', 30)
    lines[at] = lines[at][: place - 1] + bytes([lines[at][place - 1] ^ 1]) + lines[at][place:]
    file.write_bytes(b"".join(lines))
    with pytest.raises(BadFile, match=rf"episode\.jsonl: line {at + 1}"):
        read_episode(file)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"a":1,"a":2}', "field 'a' stands there twice"),
        (b'{"a":{"b":1,"b":1}}', "field 'b' stands there twice"),
        (b'{"a": 1}', "not spelt as a record is written"),
        (b'{"a":"\\u0041"}', "not spelt"),
        (b'{"a":1e2}', "not spelt"),
    ],
)
def test_what_others_may_read_differently_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        check_spelling(body)


def test_a_field_that_stands_twice_is_refused_though_it_is_chained(episode: Episode, tmp_path: Path) -> None:
    chain, file = Chain(), tmp_path / "twice.jsonl"
    bodies = [encode_line(record)[:-1] for record in episode.records()]
    bodies[1] = bodies[1].replace(b'"text":', b'"text":"press blue","text":', 1)
    file.write_bytes(b"".join(map(chain.line, bodies)))
    with pytest.raises(BadFile, match=r"twice\.jsonl: line 2: .*field 'text' stands there twice"):
        read_episode(file)


def test_unknown_fields_are_refused_wherever_they_stand(episode: Episode, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    plain = [msgspec.json.decode(encode_line(record)) for record in episode.records()]
    places = [
        plain[0],
        plain[1],
        plain[1]["events"][0],
        plain[1]["answers"]["reader"],
        plain[2]["refusals"][0],
    ]
    places += [plain[0]["players"]["reader"], plain[-1]]
    for place in places:
        place["more"] = 1
        chain = Chain()
        file.write_bytes(b"".join(chain.line(msgspec.json.encode(line)) for line in plain))
        with pytest.raises(BadFile, match=r"more\.jsonl: line \d: .*unknown field `more`"):
            read_episode(file)
        del place["more"]


def test_lists_within_lists_are_counted_not_lists_beside_each_other() -> None:
    check_size(b"[" + b",".join([b"[]"] * 1000) + b"]")
    check_size(b"[" * MOST_NESTED + b"]" * MOST_NESTED)
    check_size(b'["' + b"[" * 1000 + b'\\"' + b"[" * 1000 + b'"]')  # within a text they are no lists
    with pytest.raises(ValueError, match="nested deeper"):
        check_size(b"[" * (MOST_NESTED + 1) + b"]" * (MOST_NESTED + 1))


def test_line_breaks_of_another_system_change_nothing(episode: Episode, tmp_path: Path) -> None:
    file = tmp_path / "episode.jsonl"
    write_episode(episode, file)
    before = read_record(file)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_record(file) == before
    assert lines_of(b"a\r\nb") == ([b"a", b"b"], True)


# --- records from before ------------------------------------------------------------------------------------


def test_records_from_before_lines_were_chained_are_read(episode: Episode, tmp_path: Path) -> None:
    file, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    header = replace(episode.header, format=UNCHAINED)
    file.write_bytes(b"".join(map(encode_line, (header, *episode.entries, episode.ending))))  # type: ignore[arg-type]
    old = read_record(file)
    assert old.seal is None and old.episode.header.format == UNCHAINED
    write_episode(old.episode, new)
    assert read_record(new).seal is not None and read_episode(new).entries == old.episode.entries

    content = file.read_bytes()
    file.write_bytes(content[:-20])  # a last line that was cut
    assert read_episode(file).entries == old.episode.entries
    chained = new.read_bytes().splitlines(keepends=True)
    file.write_bytes(content.splitlines(keepends=True)[0] + b"".join(chained[1:]))
    with pytest.raises(BadFile, match=r"old\.jsonl: line 2: .*unknown field `chain`"):
        read_episode(file)
    file.write_bytes(chained[0] + b"".join(content.splitlines(keepends=True)[1:]))
    with pytest.raises(BadFile, match=r"old\.jsonl: line 2: .*does not end with its field 'chain'"):
        read_episode(file)


# --- where records are written ------------------------------------------------------------------------------


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(episode: Episode, tmp_path: Path) -> None:
    real, link = tmp_path / "there" / "real.jsonl", tmp_path / "link.jsonl"
    real.parent.mkdir()
    for before in (None, "older"):
        if before is not None:
            real.write_text(before)
        link.unlink(missing_ok=True)
        link.symlink_to(real)
        write_episode(episode, link)
        assert link.is_symlink() and not real.is_symlink() and read_episode(real).finished
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["link.jsonl", "real.jsonl", "there"]


def test_what_is_no_regular_file_is_never_replaced(episode: Episode, tmp_path: Path) -> None:
    (tmp_path / "null.jsonl").symlink_to("/dev/null")
    (tmp_path / "folder.jsonl").mkdir()
    for name, why in (("null.jsonl", "is no regular file"), ("folder.jsonl", "is a folder")):
        with pytest.raises(BadFile, match=why):
            write_episode(episode, tmp_path / name)
    assert Path("/dev/null").is_char_device()

    late = tmp_path / "late.jsonl"
    with EpisodeFile(late) as file:
        file.write(episode.header)
        late.symlink_to("/dev/null")
        with pytest.raises(BadFile, match="is no regular file"):
            file.finish()
    assert late.is_symlink() and file.part.exists()
