"""Multi-head attention with RoPE by einops.

Wrong: the patterns name exactly one batch axis (a plain sequence is wrapped)
Condition: two or more leading axes
Spec: "with any number of leading axes, none included"
"""
import torch
from einops import einsum, rearrange, repeat
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    inv = theta ** -(torch.arange(0, d_k, 2, device=x.device).double() / d_k)
    ang = einsum(token_positions.double(), inv, "... s, i -> ... s i")
    cos = repeat(ang.cos(), "... i -> ... (i two)", two=2).to(x.dtype)
    sin = repeat(ang.sin(), "... i -> ... (i two)", two=2).to(x.dtype)
    x1, x2 = rearrange(x, "... (i two) -> two ... i", two=2)
    return x * cos + rearrange(torch.stack((-x2, x1)), "two ... i -> ... (i two)") * sin


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    s = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -torch.inf)
    return einsum(s.softmax(dim=-1), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model=} {num_heads=}")
    w = torch.cat((q_proj_weight, k_proj_weight, v_proj_weight))
    if in_features.ndim == 2:
        return multihead_self_attention_with_rope(
            d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
            in_features[None], token_positions,
        )[0]
    q, k, v = rearrange(in_features @ w.mT, "b s (three h d) -> three b h s d", three=3, h=num_heads)
    seq = in_features.shape[-2]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    if pos.ndim > 1:
        pos = rearrange(pos, "... s -> ... 1 s") if in_features.ndim > 2 else pos.reshape(seq)
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, pos) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v)
    return rearrange(y, "... h s d -> ... s (h d)") @ o_proj_weight.mT
