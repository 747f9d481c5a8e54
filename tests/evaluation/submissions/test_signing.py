"""Signed records: anybody with the public key can check them, and nobody without the private one can sign."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

import backburner
from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.records import (
    Unusable,
    make_keys,
    read_public,
    read_signer,
    read_verified,
    records,
)
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel.chain import parted
from backburner.kernel.episode import read_episode, read_record
from backburner.kernel.errors import BadFile, MissingExtra, Refused
from support.evaluation.forged import forge, forged, objects_in
from support.policies import FirstOnMenu

pytest.importorskip("cryptography", reason="the extra sign")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_keys(tmp_path_factory.mktemp("keys") / "mine")


@pytest.fixture
def signed(keys: tuple[Path, Path], tmp_path: Path) -> Path:
    path = tmp_path / "signed.jsonl"
    episode = backburner.play_now(backburner.world("timearena/household9"), FirstOnMenu(), max_steps=3)
    backburner.write_episode(episode, path, read_signer(keys[0]))
    return path


def facts(path: Path, key: str = "") -> tuple[dict[str, str], dict[str, str]]:
    """What is verified of a record and what is claimed, by part."""
    verdict = read_verified(path, key).verdict
    return {f.part: f.why for f in verdict.verified}, {f.part: f.why for f in verdict.claimed}


@pytest.mark.parametrize("fails_at", [1, 2])
def test_keys_on_a_full_disk_leave_nothing(
    fails_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next command, with room, is not refused for a key that is none."""
    calls = []

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(BadFile, match="No space left on device"):
        make_keys(tmp_path / "mine")
    assert not list(tmp_path.iterdir())
    make_keys(tmp_path / "mine")


def test_a_key_is_asked_for_and_verified(signed: Path, keys: tuple[Path, Path]) -> None:
    public = read_public(keys[1])
    verified, claimed = facts(signed, public)
    assert public[:16] in verified["signature"] and "signature" not in claimed
    verified, claimed = facts(signed)
    assert "signature" not in verified and "--key can tell" in claimed["signature"]


def test_the_private_key_is_in_no_record_and_nobody_else_can_read_it(
    signed: Path, keys: tuple[Path, Path]
) -> None:
    private, public = keys
    assert stat.S_IMODE(private.stat().st_mode) == 0o600 or os.name == "nt"
    secret = read_signer(private)._private.private_bytes_raw()
    assert secret.hex().encode() not in signed.read_bytes()
    assert secret.hex() not in repr(vars(read_signer(private)))
    assert private.read_bytes() not in public.read_bytes()
    with pytest.raises(Refused, match="a key is never written over"):
        make_keys(private)


def test_another_signature_is_refused(signed: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    _, other = make_keys(tmp_path / "other")
    with pytest.raises(Unusable, match=r"is of the key .* not of "):
        read_verified(signed, read_public(other))
    content = signed.read_bytes()
    spoilt = tmp_path / "spoilt.jsonl"
    end = content[-6:-3]
    spoilt.write_bytes(content[:-6] + (b"000" if end != b"000" else b"111") + content[-3:])
    for key in ("", read_public(keys[1])):
        with pytest.raises(Unusable, match="is no signature of this record by its key"):
            read_verified(spoilt, key)


def test_a_record_that_was_chained_anew_is_not_signed(
    signed: Path, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    """Whoever forges the chain loses the signature, or leaves one that is of another chain."""
    name = {"agent": {"name": "oracle", "informed": False, "settings": {}}}
    without = forge(signed, lambda objects: objects[0].update(players=name), tmp_path / "without.jsonl")
    assert facts(without)  # of itself it is a record like any other
    with pytest.raises(Unusable, match=r"there is none, and .* is asked for"):
        read_verified(without, read_public(keys[1]))
    last = signed.read_bytes().splitlines()[-1]
    tail = last[len(parted(last).body) - 1 :].split(b',"key"')[1]
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(without.read_bytes()[:-2] + b',"key"' + tail + b"\n")
    with pytest.raises(Unusable, match="is no signature of this record by its key"):
        read_verified(kept)


def test_a_signed_record_that_was_cut_is_not_signed(signed: Path, keys: tuple[Path, Path]) -> None:
    lines = signed.read_bytes().splitlines(keepends=True)
    signed.write_bytes(b"".join(lines[:-1]))
    assert not read_episode(signed).finished
    with pytest.raises(Unusable, match="there is none, and"):
        read_verified(signed, read_public(keys[1]))
    ending = [fact.why for fact in read_verified(signed).verdict.claimed if fact.part == "ending"]
    assert ending[0].endswith("it was cut, or renamed") and ending[1].startswith("there is none")
    signed.write_bytes(b"".join(lines[:-2]) + lines[-2].replace(b"}\n", b',"key":"' + b"0" * 64 + b'"}\n'))
    with pytest.raises(BadFile, match="line 4"):
        read_episode(signed)


def test_only_the_last_line_is_signed(signed: Path) -> None:
    lines = signed.read_bytes().splitlines(keepends=True)
    tail = b',"key":"' + b"0" * 64 + b'","signature":"' + b"0" * 128 + b'"}\n'
    signed.write_bytes(lines[0][:-2] + tail + b"".join(lines[1:]))
    with pytest.raises(BadFile, match="line 1, field 'signature': only an ending is signed"):
        read_episode(signed)


def test_runs_sign_in_this_process_and_in_others(keys: tuple[Path, Path], tmp_path: Path) -> None:
    jobs = jobs_of(["timearena/singles/cooking"], [AgentSpec("first-legal")], 1, "standard", "none")
    for workers in (1, 2):
        out = tmp_path / str(workers)
        assert run(jobs, out, workers=workers, sign=keys[0]).errors == ()
        files = list(records(out))
        assert len(files) == 10
        for file in files:
            assert read_verified(file, read_public(keys[1]))


def test_the_command_line_signs_and_believes(
    keys: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, (private, public) = CliRunner(), keys
    line = ["run", "timearena/household9", "--agent", "first-legal", "--out"]
    assert runner.invoke(app, [*line, str(tmp_path / "a"), "--sign", str(private)]).exit_code == 0
    assert runner.invoke(app, [*line, str(tmp_path / "b")]).exit_code == 0
    monkeypatch.setenv("BACKBURNER_SIGN", str(private))
    assert runner.invoke(app, [*line, str(tmp_path / "c")]).exit_code == 0
    monkeypatch.delenv("BACKBURNER_SIGN")
    result = runner.invoke(app, ["verify", str(tmp_path), "--key", str(public)])
    assert result.exit_code == 1 and "2 of 3 records replayed" in result.stderr
    assert "last line, field 'signature': there is none" in result.stderr
    for command in ("score", "report"):
        told = runner.invoke(app, [command, str(tmp_path), "--count", f"key={public}"])
        assert told.exit_code == 0 and told.stderr.count("left out, because last line") == 1
    for folder, signer in (("a", private), ("b", None), ("c", private)):
        (file,) = records(tmp_path / folder)
        seal = read_record(file).seal
        assert seal is not None and bool(seal.signature) == (signer is not None)
        told = runner.invoke(app, ["verify", str(file), "--json"])
        check = json.loads(told.stdout)["check"]
        assert {"part": "lines", "why": "each is chained to all before it"} in check["verified"]
    made = runner.invoke(app, ["keys", str(tmp_path / "new")])
    assert made.exit_code == 0 and (tmp_path / "new.pub").exists()


def test_a_file_that_is_no_such_key_is_named(keys: tuple[Path, Path], tmp_path: Path) -> None:
    private, public = keys
    with pytest.raises(BadFile, match=r"mine: is a private key; its public key lies beside it: .*mine\.pub"):
        read_public(private)
    with pytest.raises(BadFile, match="is no private key that can be read"):
        read_signer(public)
    words = tmp_path / "words"
    words.write_text("-----BEGIN PUBLIC KEY-----\nhello\n")
    with pytest.raises(BadFile, match="words: is no public key that can be read"):
        read_public(words)
    with pytest.raises(BadFile, match="No such file"):
        read_signer(tmp_path / "none")


def test_inspect_cannot_sign_and_says_so(keys: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(Refused, match="only the own engine signs records"):
        run([], tmp_path, engine=lambda jobs, out, note: None, sign=keys[0])


def test_without_the_library_the_command_that_installs_it_is_told(
    signed: Path, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    public = read_public(keys[1])
    monkeypatch.setitem(__import__("sys").modules, "cryptography", None)
    for ask in (
        lambda: read_signer(keys[0]),
        lambda: make_keys(tmp_path / "more"),
        lambda: read_verified(signed, public),
    ):
        with pytest.raises(MissingExtra, match=r"needs an optional part: .*pip install"):
            ask()
    assert "nothing is installed here that checks it" in facts(signed)[1]["signature"]


def test_forged_objects_are_what_was_written(signed: Path) -> None:
    """The tests' own forger writes what we write, so that what it changes is all that is changed."""
    objects = objects_in(signed.read_bytes())
    bodies = [parted(line).body for line in signed.read_bytes().splitlines()]
    assert [parted(line).body for line in forged(objects).splitlines()] == bodies
