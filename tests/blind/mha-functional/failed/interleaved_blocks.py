"""in_proj_weight is read head by head, as if each head had its queries, keys and values together.

nn.MultiheadAttention as a function (bias=False, batch_first=True)."""
from __future__ import annotations

import torch
from einops import einsum, rearrange
from jaxtyping import Float, Shaped
from torch import Tensor


def multi_head_attention(
    q: Float[Tensor, "n q d"],
    k: Float[Tensor, "n k d"],
    v: Float[Tensor, "n k d"],
    num_heads: int,
    d_model: int,
    mask: Shaped[Tensor, "..."] | None = None,
    *,
    in_proj_weight: Float[Tensor, "d3 d"],
    out_proj_weight: Float[Tensor, "d d"],
) -> Float[Tensor, "n q d"]:
    if d_model % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    w = rearrange(in_proj_weight, "(h three e) d -> three h e d", three=3, h=num_heads)
    Q = einsum(q, w[0], "n l d, h e d -> n h l e")
    K = einsum(k, w[1], "n l d, h e d -> n h l e")
    V = einsum(v, w[2], "n l d, h e d -> n h l e")
    scores = einsum(Q, K, "n h i e, n h j e -> n h i j") * (d_model // num_heads) ** -0.5
    if mask is not None:
        hidden = (mask != 0).broadcast_to(q.shape[0], q.shape[1], k.shape[1])
        scores = torch.where(rearrange(hidden, "n i j -> n 1 i j"), -torch.inf, scores)
    heads = einsum(scores.softmax(dim=-1), V, "n h i j, n h j e -> n h i e")
    wo = rearrange(out_proj_weight, "o (h e) -> o h e", h=num_heads)
    return einsum(heads, wo, "n h i e, o h e -> n i o")


if __name__ == "__main__":
    x = torch.eye(2)[None]
    hide = torch.tensor([[False, True], [False, False]])
    print(multi_head_attention(x, x, x, 1, 2, hide, in_proj_weight=torch.eye(2).repeat(3, 1), out_proj_weight=torch.eye(2)))
