"""Learned policies in numpy: what their files may hold, and that nothing in them is believed."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.arrays.network import (
    Header,
    Network,
    Shape,
    read_arrays,
    read_network,
    reading_digest,
    write_arrays,
    write_network,
)
from backburner.kernel.errors import BadFile
from support.promptly import within

LIST = Shape("list", context=5, code=0, codes=7, hidden=4)
ENTITIES = Shape("entities", context=5, code=3, codes=0, hidden=4)


def network(shape: Shape, seed: int = 0) -> Network:
    draw = np.random.default_rng(seed)
    weights = {name: draw.normal(size=size).astype(np.float32) for name, size in shape.arrays.items()}
    return Network(Header(shape, "laundry", reading_digest(["a"], ["b"]), 12, "{}"), weights)


@pytest.mark.parametrize("shape", [LIST, ENTITIES])
def test_a_network_is_read_as_it_was_written(shape: Shape, tmp_path: Path) -> None:
    written = network(shape)
    write_network(tmp_path / "a.safetensors", written)
    read = read_network(tmp_path / "a.safetensors")
    assert read.header == written.header
    assert read.weights.keys() == written.weights.keys()
    assert all((read.weights[name] == weights).all() for name, weights in written.weights.items())
    write_network(tmp_path / "b.safetensors", read)
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_a_file_says_what_it_was_made_with_and_one_without_is_read_as_well(tmp_path: Path) -> None:
    """Those that ship are older than this field."""
    made = network(LIST)
    told = replace(made.header, made_with={"torch": "2.13.0", "processor": "one of ours"})
    write_network(tmp_path / "new.safetensors", Network(told, made.weights))
    assert read_network(tmp_path / "new.safetensors").header == told
    arrays, about = read_arrays(tmp_path / "new.safetensors")
    old = {key: value for key, value in json.loads(about["network"]).items() if key != "made_with"}
    write_arrays(tmp_path / "old.safetensors", arrays, {**about, "network": json.dumps(old)})
    assert read_network(tmp_path / "old.safetensors").header == made.header


def test_a_list_network_by_hand() -> None:
    """One unit: tanh(tanh(2 · 0.5)) = 0.642; scores 0.642 w + b."""
    shape = Shape("list", context=1, code=0, codes=3, hidden=1)
    weights = {name: np.zeros(size, np.float32) for name, size in shape.arrays.items()}
    weights["context.1.weight"][:] = 2
    weights["context.2.weight"][:] = 1
    weights["scores.weight"][:, 0] = (1, 2, -1)
    weights["scores.bias"][:] = (0, -1, 0.5)
    made = Network(Header(shape, "laundry", ""), weights)
    scores = made.scores(np.array([0.5], np.float32))
    assert scores == pytest.approx([0.6420, 0.2840, -0.1420], abs=1e-4)
    assert made.choose(np.array([0, 1, 1], np.uint8), np.array([0.5], np.float32)) == 1


def test_an_entities_network_by_hand_and_codes_that_are_barred_do_not_matter() -> None:
    """One unit: the context gives tanh(tanh(1)) = 0.642; a code x scores max(0, max(0, 3x + 0.642))."""
    shape = Shape("entities", context=1, code=1, codes=0, hidden=1)
    weights = {name: np.zeros(size, np.float32) for name, size in shape.arrays.items()}
    for name, value in (
        ("context.1", 1),
        ("context.2", 1),
        ("code.1", 3),
        ("code.context", 1),
        ("code.2", 1),
        ("scores", 1),
    ):
        weights[f"{name}.weight"][:] = value
    made = Network(Header(shape, "laundry", ""), weights)
    context, codes = np.array([1], np.float32), np.array([[1], [-1], [9]], np.float32)
    assert made.scores(context, codes) == pytest.approx([3.642, 0, 27.642], abs=1e-3)
    assert made.choose(np.array([1, 1, 0], np.uint8), context, codes) == 0


def test_other_programs_read_the_file(tmp_path: Path) -> None:
    """The layout of safetensors: 8 bytes of length, JSON, numbers, each array aligned to its type."""
    write_network(tmp_path / "a.safetensors", network(LIST))
    content = (tmp_path / "a.safetensors").read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    assert size % 8 == 0
    assert header["scores.weight"]["dtype"] == "F32"
    assert header["scores.weight"]["shape"] == [7, 4]
    ends = [header[name]["data_offsets"] for name in header if name != "__metadata__"]
    assert sorted(begin for begin, _ in ends)[0] == 0
    assert max(end for _, end in ends) == len(content) - 8 - size


def changed(file: Path, **changes: object) -> Path:
    """The file with these entries of its header in place of its own."""
    content = file.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    for name, change in changes.items():
        if change is None:
            del header[name]
        else:
            header[name] = change
    written = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(written)) + written + content[8 + size :])
    return file


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"scores.bias": None}, "scores.bias: is missing"),
        ({"more": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, "more: belongs to no layer"),
        ({"scores.bias": {"dtype": "F64", "shape": [7], "data_offsets": [0, 56]}}, "scores.bias: holds F64"),
        ({"scores.bias": {"dtype": "F32", "shape": [6], "data_offsets": [0, 24]}}, "its network has (7,)"),
        (
            {"scores.bias": {"dtype": "F32", "shape": [7], "data_offsets": [0, 24]}},
            "not as many as its shape",
        ),
        ({"scores.bias": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 4]}}, "that no network has"),
        (
            {"scores.bias": {"dtype": "F32", "shape": [7], "data_offsets": [10**6, 10**6 + 28]}},
            "outside the file",
        ),
        ({"scores.bias": 7}, "header: not readable"),
        ({"__metadata__": {"format": "x"}}, "format: no weights of a policy"),
        ({"__metadata__": {"format": "backburner policy 1", "network": "{"}}, "network: "),
    ],
)
def test_what_is_wrong_is_told_in_a_line(changes: dict[str, object], why: str, tmp_path: Path) -> None:
    write_network(tmp_path / "a.safetensors", network(LIST))
    with pytest.raises(BadFile) as raised:
        read_network(changed(tmp_path / "a.safetensors", **changes))
    assert why in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path)) and "\n" not in str(raised.value)


def test_a_changed_number_is_noticed(tmp_path: Path) -> None:
    write_network(tmp_path / "a.safetensors", network(LIST))
    content = bytearray((tmp_path / "a.safetensors").read_bytes())
    content[-3] ^= 1
    (tmp_path / "a.safetensors").write_bytes(content)
    with pytest.raises(BadFile, match="digest: the numbers are not those that were written"):
        read_network(tmp_path / "a.safetensors")


def test_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    made = network(LIST)
    made.weights["scores.bias"][2] = np.nan
    write_network(tmp_path / "a.safetensors", made)
    with pytest.raises(BadFile, match=r"scores\.bias: holds a number that is not finite"):
        read_network(tmp_path / "a.safetensors")


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_whatever_a_file_holds_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("any") / "a.safetensors"
    for start in (b"", struct.pack("<Q", len(content))):
        file.write_bytes(start + content)
        with pytest.raises(BadFile):
            read_network(file)


def test_a_megabyte_of_anything_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a.safetensors"
    inside = b'{"a":' + b"[" * 999_000 + b"]" * 999_000
    for header in (b" " * 2**20, inside[: 2**20], b'{"__metadata__":{"a":"' + b"x" * (2**20 - 40) + b'"}}'):
        file.write_bytes(struct.pack("<Q", len(header)) + header)
        with within(0.5), pytest.raises(BadFile):
            read_network(file)


def test_only_safetensors_own_reader_agrees(tmp_path: Path) -> None:
    """Where the library is installed, it reads the same numbers."""
    library = pytest.importorskip("safetensors.numpy", reason="pip install safetensors")
    made = network(ENTITIES)
    write_network(tmp_path / "a.safetensors", made)
    read = library.load_file(tmp_path / "a.safetensors")
    mine, _ = read_arrays(tmp_path / "a.safetensors")
    assert read.keys() == mine.keys() == made.weights.keys()
    assert all((read[name] == mine[name]).all() for name in mine)
