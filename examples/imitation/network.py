"""The transformer: Llama's blocks, in the shapes that GGUF's ``llama`` architecture expects."""

from __future__ import annotations

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional


class Shape(Struct, frozen=True):
    """How large the network is; ``width`` and ``inner`` are multiples of 32, for weights of eight bits."""

    words: int
    width: int = 128
    layers: int = 4
    heads: int = 4
    inner: int = 352
    longest: int = 2048
    base: float = 10_000.0
    epsilon: float = 1e-5


class Norm(nn.Module):
    """Root mean square normalisation."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, self.weight.shape, self.weight, self.epsilon)


class Block(nn.Module):
    """Attention with rotary positions, then a gated layer; each reads a normed stream and adds to it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, inner = shape.width, shape.inner
        self.heads = shape.heads
        self.attn_norm, self.ffn_norm = Norm(width, shape.epsilon), Norm(width, shape.epsilon)
        self.attn_q, self.attn_k, self.attn_v, self.attn_output = (
            nn.Linear(width, width, bias=False) for _ in range(4)
        )
        self.ffn_gate, self.ffn_up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], future: Tensor) -> Tensor:
        rows, length, width = x.shape
        seen = self.attn_norm(x)
        q, k, v = (
            layer(seen).view(rows, length, self.heads, -1).transpose(1, 2).flatten(0, 1)
            for layer in (self.attn_q, self.attn_k, self.attn_v)
        )
        q, k = (turned(each, turn).to(v.dtype) for each in (q, k))
        # By hand, as torch's own attention takes three times as long on a processor, in shapes such as these.
        heard = torch.baddbmm(
            future.to(v.dtype).expand(len(q), -1, -1), q, k.transpose(1, 2), alpha=q.shape[-1] ** -0.5
        )
        heard = (heard.softmax(-1) @ v).view(rows, self.heads, length, -1)
        x = x + self.attn_output(heard.transpose(1, 2).reshape(rows, length, width))
        seen = self.ffn_norm(x)
        return x + self.ffn_down(functional.silu(self.ffn_gate(seen)) * self.ffn_up(seen))


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Neighbouring numbers are turned together, by an angle that grows with the place."""
    cos, sin = turn
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Network(nn.Module):
    """Tokens in, a score for each next token out; the table of tokens serves for both."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.words, shape.width)
        self.blk = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = Norm(shape.width, shape.epsilon)
        half = shape.width // shape.heads // 2
        rates = shape.base ** (-torch.arange(half) / half)
        angles = torch.outer(torch.arange(shape.longest), rates)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)
        nn.init.normal_(self.token_embd.weight, 0.0, 0.05)
        for block in self.blk:
            for name, weight in block.named_parameters():
                if weight.dim() == 2:
                    last = "output" in name or "down" in name
                    nn.init.normal_(weight, 0.0, weight.shape[1] ** -0.5 * (0.35 if last else 1.0))

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.token_embd(tokens)
        length = tokens.shape[1]
        turn = self.cos[:length], self.sin[:length]
        future = torch.full((length, length), -torch.inf).triu(1)
        for block in self.blk:
            x = block(x, turn, future)
        return self.output_norm(x)

    def scores(self, seen: Tensor) -> Tensor:
        """Of what ``forward`` gave, the score of each token."""
        return seen @ self.token_embd.weight.T
