"""A right answer of the seventh corpus."""
import torch
from einops import einsum, rearrange
from torch import Tensor, nn


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super().__init__()
        self.d_k = d_k
        freqs = theta ** -(torch.arange(0, d_k, 2, device=device, dtype=torch.float64) / d_k)
        table = einsum(torch.arange(max_seq_len, device=device, dtype=torch.float64), freqs, "seq, half -> seq half")
        self.register_buffer("cos_cached", table.cos(), persistent=False)
        self.register_buffer("sin_cached", table.sin(), persistent=False)

    def forward(self, x: Tensor, token_positions: Tensor) -> Tensor:
        cos = self.cos_cached[token_positions].to(x.dtype)
        sin = self.sin_cached[token_positions].to(x.dtype)
        x1, x2 = rearrange(x, "... (half two) -> two ... half", two=2)
        y1 = cos * x1 - sin * x2
        y2 = sin * x1 + cos * x2
        return rearrange([y1, y2], "two ... half -> ... (half two)")


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryPositionalEmbedding(theta, d_k, max_seq_len, in_query_or_key.device)(in_query_or_key, token_positions)


def softmax(x: Tensor, dim: int) -> Tensor:
    z = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(z)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == False, -torch.inf)  # noqa: E712
    return einsum(softmax(scores, -1), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    Q, K, V = (
        rearrange(einsum(in_features, w, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    Q = rope(d_model // num_heads, theta, max_seq_len, Q, token_positions)
    K = rope(d_model // num_heads, theta, max_seq_len, K, token_positions)
    heads = rearrange(scaled_dot_product_attention(Q, K, V), "... h s d -> ... s (h d)").reshape(in_features.shape)
    return einsum(heads, o_proj_weight, "... s i, o i -> ... s o")
