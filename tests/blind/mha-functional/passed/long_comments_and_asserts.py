"""A careful beginner: a comment and an assert for every step."""

import torch
from torch import Tensor


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    # The features are shared out among the heads. If they cannot be shared fairly, stop.
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads

    # How many sequences, how many tokens ask, how many tokens are asked.
    n, l_q, _ = q.shape
    _, l_k, _ = k.shape
    assert k.shape == v.shape
    assert in_proj_weight.shape == (3 * d_model, d_model)
    assert out_proj_weight.shape == (d_model, d_model)

    # The big matrix is three matrices on top of each other.
    w_q = in_proj_weight.narrow(0, 0, d_model)
    w_k = in_proj_weight.narrow(0, d_model, d_model)
    w_v = in_proj_weight.narrow(0, 2 * d_model, d_model)

    # Each token of q becomes a query, of k a key, of v a value.
    queries = torch.matmul(q, torch.t(w_q))
    keys = torch.matmul(k, torch.t(w_k))
    values = torch.matmul(v, torch.t(w_v))

    # (n, l, d_model) -> (n, l, heads, d_head) -> (n, heads, l, d_head)
    queries = queries.reshape(n, l_q, num_heads, d_head).permute(0, 2, 1, 3)
    keys = keys.reshape(n, l_k, num_heads, d_head).permute(0, 2, 1, 3)
    values = values.reshape(n, l_k, num_heads, d_head).permute(0, 2, 1, 3)

    # Every query meets every key.
    scores = torch.matmul(queries, keys.permute(0, 1, 3, 2))
    scores = scores / (d_head ** 0.5)
    assert scores.shape == (n, num_heads, l_q, l_k)

    # Where the mask says 1, the score becomes minus infinity, and the softmax turns that to 0.
    if mask is not None:
        mask = mask.expand(n, l_q, l_k).reshape(n, 1, l_q, l_k).repeat(1, num_heads, 1, 1)
        assert mask.shape == scores.shape
        scores = scores.masked_fill(mask.to(torch.bool), float("-inf"))

    weights = torch.softmax(scores, dim=3)
    heads = torch.matmul(weights, values)

    # Back: (n, heads, l_q, d_head) -> (n, l_q, heads, d_head) -> (n, l_q, d_model)
    merged = heads.permute(0, 2, 1, 3).reshape(n, l_q, d_model)
    result = torch.matmul(merged, torch.t(out_proj_weight))
    assert result.shape == q.shape
    return result
