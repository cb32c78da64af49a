# Says: `rope` is given `d_model` in `q = rope(d_model, theta, max_seq_len, q, pos)`, but each head has only `d_model // num_heads` features.
# Line: 67
# Names: rope, d_model, num_heads
# Kind: crash
import torch
from einops import einsum, rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor


def rope(
    d_k: int,
    theta: float,
    max_seq_len: int,
    in_query_or_key: Float[Tensor, " ... sequence_length d_k"],
    token_positions: Int[Tensor, " ... sequence_length"],
) -> Float[Tensor, " ... sequence_length d_k"]:
    x = rearrange(in_query_or_key, "... s (p two) -> ... s p two", two=2)
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angle = einsum(token_positions.to(torch.float64), freqs, "... s, p -> ... s p")
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    rot_even = x[..., 0] * c - x[..., 1] * s
    rot_odd = x[..., 0] * s + x[..., 1] * c
    return rearrange([rot_even, rot_odd], "two ... p -> ... (p two)")


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = x.exp()
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(
    Q: Float[Tensor, " ... queries d_k"],
    K: Float[Tensor, " ... keys d_k"],
    V: Float[Tensor, " ... keys d_v"],
    mask: Bool[Tensor, " ... queries keys"] | None = None,
) -> Float[Tensor, " ... queries d_v"]:
    scale = Q.shape[-1] ** -0.5
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") * scale
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return einsum(softmax(scores, dim=-1), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Float[Tensor, " d_k d_in"],
    k_proj_weight: Float[Tensor, " d_k d_in"],
    v_proj_weight: Float[Tensor, " d_v d_in"],
    o_proj_weight: Float[Tensor, " d_model d_v"],
    in_features: Float[Tensor, " ... sequence_length d_in"],
    token_positions: Int[Tensor, " ... sequence_length"] | None = None,
) -> Float[Tensor, " ... sequence_length d_out"]:
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    q, k, v = (
        rearrange(einsum(in_features, w, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    pos = token_positions if token_positions.ndim == 1 else rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model, theta, max_seq_len, q, pos)
    k = rope(d_model, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    merged = rearrange(heads, "... h s d -> ... s (h d)")
    return einsum(merged, o_proj_weight, "... s i, o i -> ... s o")
