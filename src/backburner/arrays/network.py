"""Learned policies in numpy alone: networks that score codes, and the files that hold their weights.

Two kinds of network. A *list* network reads the features of a body (or, *central*, of all of them) and has
a score for each code of one fixed list. An *entities* network reads what each code stands for, a vector of
its own, beside a context that all codes share: it plays scenarios with other lists of codes than those
it was trained on. Both give the code of the highest score among those that are allowed.

A file of weights is laid out as a safetensors file (a length, a JSON header, the numbers), which other
programs read too. Nothing in it is run. Its header says which ``Shape`` the network has, what it reads, how
it was trained, and the digest of its numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from math import prod
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_regular, write_whole

FORMAT = "backburner policy 1"
"""What the header of a file of weights says it is."""

MOST_HEADER_BYTES = 2**20
MOST_NUMBERS = 2**24
"""Numbers that a network may have: 64 MB."""

Numbers = NDArray[np.float32]


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """Which network it is.

    - ``kind``: ``list`` or ``entities``
    - ``context``, ``code``: how many numbers there are of a body's context, and of each code (0 in a list)
    - ``codes``: the outputs of a list network (0 for entities)
    - ``hidden``: units of each hidden layer
    """

    kind: Literal["list", "entities"]
    context: int
    code: int
    codes: int
    hidden: int

    @property
    def arrays(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of each array of weights, by name; ``value.*`` is what training needs beside play."""
        units = self.hidden
        layers = {"context.1": (units, self.context), "context.2": (units, units)}
        if self.kind == "list":
            layers |= {"scores": (self.codes, units), "value.1": (units, units)}
        else:
            layers |= {
                "code.1": (units, self.code),
                "code.context": (units, units),
                "code.2": (units, units),
                "scores": (1, units),
                "value.1": (units, 2 * units),
            }
        layers["value.2"] = (1, units)
        named: dict[str, tuple[int, ...]] = {}
        for name, (outputs, inputs) in layers.items():
            named |= {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}
        return named


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says of its network.

    ``reads``: the digest of the names of all that it reads, see ``reading_digest``. ``world``: for which
    world. ``configuration``: how it was trained, as JSON. ``trained``: steps of play it was trained with.
    ``made_with``: versions of what computed the weights, and the machine's processor; empty where an older
    version wrote the file. The configuration makes the same weights again where these are the same.
    """

    shape: Shape
    world: str
    reads: str
    trained: int = 0
    configuration: str = ""
    made_with: Mapping[str, str] = {}


def reading_digest(*names: Sequence[str]) -> str:
    """The digest of the names of features, in order: a network reads these and no others."""
    return blake2b(msgspec.json.encode(names), digest_size=16).hexdigest()


class Network:
    """A network with its weights; plays by numpy alone."""

    def __init__(self, header: Header, weights: Mapping[str, Numbers]) -> None:
        self.header = header
        self.weights = weights

    @property
    def settings(self) -> Mapping[str, Any]:
        """What tells this network in records: the digest of its weights, and how long it was trained."""
        return {"weights": digest_of(self.weights), "steps": self.header.trained}

    def scores(self, context: Numbers, codes: Numbers | None = None) -> Numbers:
        """A score for each code: of the list, or of each row of ``codes`` (code, numbers of the code)."""
        seen = np.tanh(self._layer("context.2", np.tanh(self._layer("context.1", context))))
        if codes is None:
            return self._layer("scores", seen)
        first = np.maximum(0, self._layer("code.1", codes) + self._layer("code.context", seen))
        return self._layer("scores", np.maximum(0, self._layer("code.2", first)))[:, 0]

    def choose(self, mask: NDArray[np.uint8], context: Numbers, codes: Numbers | None = None) -> int:
        """The allowed code with the highest score, the first of equals.

        ``mask`` has 1 for each allowed code. ``codes`` has a row for every code, of which only the allowed
        ones are looked at.
        """
        (allowed,) = np.nonzero(mask)
        scores = self.scores(context)[allowed] if codes is None else self.scores(context, codes[allowed])
        return int(allowed[np.argmax(scores)])

    def _layer(self, name: str, values: Numbers) -> Numbers:
        result: Numbers = values @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return result


# --- files ---------------------------------------------------------------------------------------------


def write_arrays(file: Path, arrays: Mapping[str, Numbers], about: Mapping[str, str]) -> None:
    """Write arrays of float32 and texts about them, whole or not at all; raises ``BadFile``."""
    tensors: dict[str, Any] = {"__metadata__": dict(about)}
    parts: list[bytes] = []
    end = 0
    for name, array in arrays.items():
        parts.append(np.ascontiguousarray(array, "<f4").tobytes())
        tensors[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [end, end + len(parts[-1])],
        }
        end += len(parts[-1])
    header = msgspec.json.encode(tensors)
    header += b" " * (-len(header) % 8)
    write_whole(file, struct.pack("<Q", len(header)) + header + b"".join(parts), lasting=True)


class _Tensor(Struct, frozen=True):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def read_arrays(file: Path) -> tuple[dict[str, Numbers], dict[str, str]]:
    """The arrays of a file and the texts about them; raises ``BadFile`` for anything else than float32."""
    content = read_regular(file)
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > min(MOST_HEADER_BYTES, len(content) - 8):
        raise BadFile(file, "", "no file of weights: its header is longer than the file")
    try:
        header = msgspec.json.decode(content[8 : 8 + size], type=dict[str, msgspec.Raw])
        about = msgspec.json.decode(header.pop("__metadata__", b"{}"), type=dict[str, str])
        tensors = {name: msgspec.json.decode(raw, type=_Tensor) for name, raw in header.items()}
    except (ValueError, RecursionError) as error:
        raise BadFile(file, "header", f"not readable: {error}") from error
    data = memoryview(content)[8 + size :]
    return {name: _array(file, name, tensor, data) for name, tensor in tensors.items()}, about


def _array(file: Path, name: str, tensor: _Tensor, data: memoryview) -> Numbers:
    begin, end = tensor.data_offsets
    if tensor.dtype != "F32":
        raise BadFile(file, name, f"holds {tensor.dtype}, and weights are F32")
    if not all(0 <= length <= MOST_NUMBERS for length in tensor.shape) or len(tensor.shape) > 8:
        raise BadFile(file, name, "has a shape that no network has")
    if not 0 <= begin <= end <= len(data) or end - begin != 4 * prod(tensor.shape):
        raise BadFile(file, name, "its numbers lie outside the file, or are not as many as its shape says")
    return np.frombuffer(data[begin:end], "<f4").reshape(tensor.shape).astype(np.float32)


def digest_of(arrays: Mapping[str, Numbers]) -> str:
    """The digest of numbers and the names of their arrays."""
    made = blake2b(digest_size=16)
    for name in sorted(arrays):
        made.update(name.encode() + b"\0" + np.ascontiguousarray(arrays[name], "<f4").tobytes())
    return made.hexdigest()


def write_network(file: Path, network: Network) -> None:
    """Write a network, whole or not at all; raises ``BadFile``."""
    about = {
        "format": FORMAT,
        "network": msgspec.json.encode(network.header).decode(),
        "digest": digest_of(network.weights),
    }
    write_arrays(file, network.weights, about)


def read_network(file: Path) -> Network:
    """The network of a file. Raises ``BadFile`` where its format, shape or digest is not what it says."""
    arrays, about = read_arrays(file)
    if about.get("format") != FORMAT:
        raise BadFile(
            file, "format", f"no weights of a policy: {about.get('format', 'none')!r}, not {FORMAT!r}"
        )
    try:
        header = msgspec.json.decode(about.get("network", ""), type=Header)
    except (ValueError, RecursionError) as error:
        raise BadFile(file, "network", str(error)) from error
    shape = header.shape
    if min(shape.context, shape.code, shape.codes) < 0 or not 0 < shape.hidden <= 4096:
        raise BadFile(file, "network", "no network has this shape")
    for name, expected in shape.arrays.items():
        if name not in arrays:
            raise BadFile(file, name, "is missing")
        if arrays[name].shape != expected:
            raise BadFile(file, name, f"has the shape {arrays[name].shape}; its network has {expected}")
        if not np.isfinite(arrays[name]).all():
            raise BadFile(file, name, "holds a number that is not finite")
    if len(arrays) > len(shape.arrays):
        unknown = next(name for name in arrays if name not in shape.arrays)
        raise BadFile(file, unknown, "belongs to no layer of its network")
    if digest_of(arrays) != about.get("digest"):
        raise BadFile(file, "digest", "the numbers are not those that were written")
    return Network(header, arrays)
