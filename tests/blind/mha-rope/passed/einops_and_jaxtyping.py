"""einops moves the axes, jaxtyping annotates them, and a few asserts at the top of the module try rope out."""

import torch
from einops import einsum, pack, rearrange, unpack
from jaxtyping import Bool, Float, Int
from torch import Tensor


def rope(
    d_k: int, theta: float, max_seq_len: int,
    in_query_or_key: Float[Tensor, "... seq d_k"], token_positions: Int[Tensor, "... seq"],
) -> Float[Tensor, "... seq d_k"]:
    freq = theta ** -(torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k)
    angle = einsum(token_positions.double(), freq, "... seq, half -> ... seq half")
    cos, sin = angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype)
    x, y = rearrange(in_query_or_key, "... (half two) -> two ... half", two=2)
    return rearrange([x * cos - y * sin, x * sin + y * cos], "two ... half -> ... (half two)")


def scaled_dot_product_attention(
    Q: Float[Tensor, "... q d_k"], K: Float[Tensor, "... k d_k"], V: Float[Tensor, "... k d_v"],
    mask: Bool[Tensor, "... q k"] | None = None,
) -> Float[Tensor, "... q d_v"]:
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return einsum(torch.softmax(scores, dim=-1), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    x, batch = pack([in_features], "* seq d")
    seq = x.shape[1]
    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    if token_positions.numel() == seq:
        positions = token_positions.reshape(1, 1, seq)
    else:
        positions = rearrange(pack([token_positions], "* seq")[0], "b seq -> b 1 seq")
    q, k, v = (
        rearrange(einsum(x, w, "b s i, o i -> b s o"), "b s (h d) -> b h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, positions) for t in (q, k))
    y = rearrange(scaled_dot_product_attention(q, k, v), "b h s d -> b s (h d)")
    return unpack(einsum(y, o_proj_weight, "b s i, o i -> b s o"), batch, "* seq d")[0]


_x = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
assert torch.allclose(rope(2, 10000.0, 4, _x, torch.tensor([0, 1])), torch.tensor([[1.0, 0.0], [0.5403, 0.8415]]), atol=1e-3)
assert rope(2, 10000, 4, _x, torch.tensor([0, 1])).shape == _x.shape

if __name__ == "__main__":
    print("rope looks right")
