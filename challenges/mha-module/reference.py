"""Causal multi-head attention as modules, in named steps. Written for reading; the judge runs it in float64.

Attention: Vaswani et al. 2017, section 3.2. The layers are made in the order of the specification, so that a seed
gives the same weights as a student's module gets.
"""

import math

import torch
from torch import Tensor, nn


def check_heads(d_out: int, num_heads: int) -> None:
    """Heads share the features evenly."""
    if d_out % num_heads != 0:
        raise ValueError(f"d_out={d_out} does not divide into {num_heads} heads")


def head_width(d_in: int, d_out: int, num_heads: int) -> int:
    """Features of one head."""
    return d_out // num_heads


def input_layer(d_in: int, d_out: int, qkv_bias: bool) -> nn.Module:
    """A projection to queries, keys or values."""
    return nn.Linear(d_in, d_out, bias=qkv_bias)


def output_layer(d_out: int, num_heads: int) -> nn.Module:
    """Mixes what the heads found. It has a bias whatever qkv_bias says."""
    return nn.Linear(d_out, d_out)


def later_tokens(context_length: int) -> Tensor:
    """True where the key comes after the query, shape (context_length, context_length)."""
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1)


def keep_mask(layer: nn.Module, context_length: int) -> None:
    """As a buffer: it moves with the module and is not trained."""
    layer.register_buffer("mask", later_tokens(context_length))


def prepare(layer: nn.Module, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool):
    """What a single head and several have in common."""
    layer.W_query = input_layer(d_in, d_out, qkv_bias)
    layer.W_key = input_layer(d_in, d_out, qkv_bias)
    layer.W_value = input_layer(d_in, d_out, qkv_bias)
    layer.dropout = nn.Dropout(dropout)
    keep_mask(layer, context_length)


def project_qkv(layer: nn.Module, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of shape (batch, tokens, d_out)."""
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)


def compare_tokens(queries: Tensor, keys: Tensor) -> Tensor:
    """Every query with every key: (..., queries, keys)."""
    return queries @ keys.mT


def scale(scores: Tensor, layer: nn.Module) -> Tensor:
    """Keep the variance of the scores at one whatever the head's width."""
    return scores / math.sqrt(layer.head_dim)


def own_mask(layer: nn.Module, tokens: int) -> Tensor:
    """The corner of the mask that this sequence needs."""
    return layer.mask[:tokens, :tokens]


def hide(scores: Tensor, mask: Tensor) -> Tensor:
    """Minus infinity becomes a weight of zero in the softmax."""
    return scores.masked_fill(mask, -math.inf)


def softmax(scores: Tensor) -> Tensor:
    """Over the keys, the last axis; the row's maximum is taken off first so that exp cannot overflow."""
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


def weigh(scores: Tensor, layer: nn.Module) -> Tensor:
    """From scores to weights: no later token, every row adds up to one."""
    return softmax(hide(scale(scores, layer), own_mask(layer, scores.shape[-1])))


def drop(weights: Tensor, layer: nn.Module) -> Tensor:
    """In training some of the weights are dropped, and the others enlarged to make up for them."""
    return layer.dropout(weights)


def attend(layer: nn.Module, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Causal attention over the last two axes, tokens and features."""
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ values


def split_heads(x: Tensor, layer: nn.Module) -> Tensor:
    """(batch, tokens, d_out) -> (batch, heads, tokens, head_dim): head h owns features h*head_dim to (h+1)*head_dim."""
    return x.unflatten(-1, (layer.num_heads, layer.head_dim)).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(batch, heads, tokens, head_dim) -> (batch, tokens, d_out)."""
    return x.transpose(1, 2).flatten(-2)


def attend_in_heads(layer: nn.Module, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """All heads at once: they are one more batch axis."""
    return attend(layer, *(split_heads(x, layer) for x in (queries, keys, values)))


def mix_heads(layer: nn.Module, context: Tensor) -> Tensor:
    """Merge the heads and project."""
    return layer.out_proj(merge_heads(context))


def make_heads(num_heads: int, *sizes) -> nn.ModuleList:
    """Each head has layers of its own."""
    return nn.ModuleList(CausalAttention(*sizes) for _ in range(num_heads))


def join(outputs: list[Tensor]) -> Tensor:
    """The heads' features, side by side."""
    return torch.cat(outputs, dim=-1)


class MultiHeadAttention(nn.Module):
    """(batch, tokens, d_in) -> (batch, tokens, d_out): the heads share d_out."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        check_heads(d_out, num_heads)
        self.num_heads, self.head_dim = num_heads, head_width(d_in, d_out, num_heads)
        prepare(self, d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = output_layer(d_out, num_heads)

    def forward(self, x):
        return mix_heads(self, attend_in_heads(self, *project_qkv(self, x)))


class CausalAttention(nn.Module):
    """(batch, tokens, d_in) -> (batch, tokens, d_out), with a single head and no output projection."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.head_dim = d_out
        prepare(self, d_in, d_out, context_length, dropout, qkv_bias)

    def forward(self, x):
        return attend(self, *project_qkv(self, x))


class MultiHeadAttentionWrapper(nn.Module):
    """(batch, tokens, d_in) -> (batch, tokens, num_heads * d_out): each head is d_out wide."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = make_heads(num_heads, d_in, d_out, context_length, dropout, qkv_bias)

    def forward(self, x):
        return join([head(x) for head in self.heads])
