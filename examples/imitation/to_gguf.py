"""Weights of a training as one GGUF file that llama.cpp plays: ``python to_gguf.py FOLDER FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gguf
import msgspec
import numpy as np
import torch
import words
from gguf import GGMLQuantizationType, GGUFWriter, TokenType
from network import Shape


def write_gguf(
    path: Path, shape: Shape, vocabulary: words.Vocabulary, weights: dict[str, Any], *, exact: bool = False
) -> None:
    """Write the file; matrices in eight bits each (Q8_0), or with ``exact`` as they are."""
    writer = GGUFWriter(str(path), "llama")
    writer.add_name("imitation")
    writer.add_context_length(shape.longest)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_dimension_count(shape.width // shape.heads)
    writer.add_rope_freq_base(shape.base)
    _add_vocabulary(writer, vocabulary)
    for name, weight in weights.items():
        numbers = weight.detach().to(torch.float32).numpy()
        if numbers.ndim == 1 or exact:
            writer.add_tensor(name, numbers)
        else:
            packed = gguf.quants.quantize(numbers, GGMLQuantizationType.Q8_0)
            writer.add_tensor(name, packed, raw_dtype=GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_vocabulary(writer: GGUFWriter, vocabulary: words.Vocabulary) -> None:
    """Pieces that are whole words: with this pre-tokenizer llama.cpp takes one that is in the vocabulary as
    it is, and needs no merges. The file may not be without any; the one here joins nothing that occurs."""
    blank = words.spelt(" ")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list(vocabulary.tokens)
    kinds = [TokenType.NORMAL] * len(vocabulary.normal)
    kinds += [TokenType.USER_DEFINED] * len(vocabulary.phrases) + [TokenType.CONTROL] * len(words.MARKS)
    writer.add_token_types(kinds)
    writer.add_token_merges([f"{blank} {blank}"])
    end = vocabulary.number[words.END]
    writer.add_bos_token_id(end)
    writer.add_eos_token_id(end)
    writer.add_add_bos_token(False)
    writer.add_chat_template(words.CHAT_TEMPLATE)


def main() -> None:
    """Read what a training wrote, write the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--exact", action="store_true", help="32 bits a number, four times as large")
    chosen = parser.parse_args()
    shape = msgspec.json.decode((chosen.folder / "shape.json").read_bytes(), type=Shape)
    vocabulary = words.Vocabulary.load(chosen.folder / "vocabulary.json")
    kept = torch.load(chosen.folder / "state.pt")
    weights = {name: kept["network"][name] for name in kept["network"] if np.size(name)}
    write_gguf(chosen.file, shape, vocabulary, weights, exact=chosen.exact)
    print(f"{chosen.file}: {chosen.file.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
