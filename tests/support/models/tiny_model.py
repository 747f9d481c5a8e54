"""A real model server in miniature: a Llama with random weights behind llama.cpp's own HTTP server.

``write_tiny_model`` writes two layers of 64 numbers each and a byte-level BPE vocabulary, learnt from
the prompts it will read, so that these are a few hundred tokens and not a few thousand.
``serving`` runs the server in a process of its own, with one thread: with more, its workers wait for
each other by spinning, and on a busy machine that takes forever.

What the model says is a salad of words. That is all a test of the wire needs.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

LAYERS, WIDTH, HEADS, INNER = 2, 64, 4, 128
LONGEST = 16_384
"""Tokens of the longest conversation that the model takes."""

MERGES = 900
CONTROL = ("<|end|>", "<|im_start|>", "<|im_end|>")
CHAT_TEMPLATE = """\
{% for message in messages %}<|im_start|>{{ message['role'] }}
{{ message['content'] }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def write_tiny_model(path: Path, prompts: Sequence[str]) -> None:
    """Write a GGUF file (half a megabyte) whose vocabulary is learnt from ``prompts``."""
    from gguf import GGUFWriter, TokenType

    merges = learn_merges("\n".join(prompts), MERGES)
    letters = sorted(set(BYTES.values()))
    tokens = [*letters, *("".join(pair) for pair in merges), *CONTROL]
    writer = GGUFWriter(str(path), "llama")
    writer.add_context_length(LONGEST)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    kinds = [TokenType.NORMAL] * (len(tokens) - len(CONTROL)) + [TokenType.CONTROL] * len(CONTROL)
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(tokens.index("<|end|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)
    _add_random_weights(writer, len(tokens))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_random_weights(writer, n_tokens: int) -> None:
    import numpy as np

    random = np.random.default_rng(2024)
    shapes = {"token_embd": (n_tokens, WIDTH), "output": (n_tokens, WIDTH)}
    for layer in range(LAYERS):
        shapes |= {f"blk.{layer}.attn_{part}": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
        shapes |= {f"blk.{layer}.ffn_{part}": (INNER, WIDTH) for part in ("gate", "up")}
        shapes[f"blk.{layer}.ffn_down"] = (WIDTH, INNER)
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.normal(0, WIDTH**-0.5, shape).astype(np.float32))
    norms = [f"blk.{layer}.{part}_norm" for layer in range(LAYERS) for part in ("attn", "ffn")]
    for name in ("output_norm", *norms):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))


def _byte_letters() -> dict[int, str]:
    """GPT-2's spelling of bytes: printable ones stand for themselves, the others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in printable)
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + n) for n, byte in enumerate(others)}


BYTES = _byte_letters()
_WORD = re.compile(r" ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")


def learn_merges(text: str, most: int) -> list[tuple[str, str]]:
    """Byte-pair encoding: merge the pair that stands side by side most often, again and again."""
    counts = Counter(tuple(BYTES[byte] for byte in word.encode()) for word in _WORD.findall(text))
    words = [(list(letters), count) for letters, count in counts.items()]
    merges: list[tuple[str, str]] = []
    while len(merges) < most:
        pairs: Counter[tuple[str, str]] = Counter()
        for parts, count in words:
            for pair in pairwise(parts):
                pairs[pair] += count
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for parts, _ in words:
            _merge(parts, best)
    return merges


def _merge(parts: list[str], pair: tuple[str, str]) -> None:
    place = 0
    while place < len(parts) - 1:
        if (parts[place], parts[place + 1]) == pair:
            parts[place : place + 2] = ["".join(pair)]
        place += 1


@dataclass
class Served:
    """A running server: the base URL for an OpenAI client, and its process."""

    url: str
    process: subprocess.Popen[bytes]

    @property
    def port(self) -> int:
        return int(self.url.removesuffix("/v1").rpartition(":")[2])

    def kill(self) -> None:
        """End it without warning, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(model: Path, slots: int = 4, context: int = 4096, port: int = 0) -> Iterator[Served]:
    """Serve the model while the block runs, to so many at once, each with a context of so many tokens."""
    log = model.with_suffix(".log")
    with log.open("wb") as output:
        command = [sys.executable, __file__, str(model), str(slots), str(context), str(port)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=output)
        try:
            address = process.stdout.readline().decode().strip()
            assert address, f"the model server did not start:\n{log.read_text(errors='replace')[-2000:]}"
            _wait_for(f"{address}/v1/models")
            yield Served(f"{address}/v1", process)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stdin.close()


def _wait_for(url: str, seconds: float = 30.0) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + seconds
    while True:
        try:
            direct.open(url, timeout=5).close()
            return
        except OSError:
            assert time.monotonic() < deadline, f"{url} does not answer"
            time.sleep(0.05)


def require_server() -> None:
    """Skip the calling test where llama.cpp's server or the writer of its files cannot be imported."""
    for module in ("xllamacpp", "gguf", "numpy"):
        reason = f"the model server of the tests needs {module}: pip install -e '.[dev]'"
        pytest.importorskip(module, reason=reason, exc_type=ImportError)


def _serve(model: str, slots: int, context: int, port: int) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = context * slots  # it is split evenly over the slots
    params.n_parallel = slots
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = slots + 2
    params.warmup = False
    params.fit_params = False
    params.hostnames = ["127.0.0.1"]
    params.port = port
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()  # until the parent goes away, however it goes


if __name__ == "__main__":
    _serve(sys.argv[1], *map(int, sys.argv[2:]))
