"""Attention with named axes in einops.einsum."""

from einops import einsum, rearrange
from torch import Tensor


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
    *, in_proj_weight: Tensor, out_proj_weight: Tensor,
) -> Tensor:
    assert d_model % num_heads == 0
    W = rearrange(in_proj_weight, "(three head e) d -> three head e d", three=3, head=num_heads)
    Q = einsum(q, W[0], "batch query d, head e d -> batch head query e")
    K = einsum(k, W[1], "batch key d, head e d -> batch head key e")
    V = einsum(v, W[2], "batch key d, head e d -> batch head key e")
    S = einsum(Q, K, "batch head query e, batch head key e -> batch head query key")
    S = S / (d_model / num_heads) ** 0.5
    if mask is not None:
        mask = mask.bool()
        while mask.ndim < 3:
            mask = mask[None]
        S = S.masked_fill(mask[:, None], float("-inf"))
    P = S.softmax(-1)
    O = einsum(P, V, "batch head query key, batch head key e -> batch head query e")
    U = rearrange(out_proj_weight, "o (head e) -> o head e", head=num_heads)
    return einsum(O, U, "batch head query e, o head e -> batch query o")
