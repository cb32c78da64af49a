"""Takes (1, seq) for a placeholder.

Idea: Positions of shape (1, seq) are taken for the default 0, 1, 2, ...
Where: only for token_positions of shape (1, seq)
Id: positions-ignored
"""

import torch
from einops import einsum, rearrange


def _rotations(d_k, theta, positions):
    freq = theta ** (-2.0 * torch.arange(d_k // 2, dtype=torch.float64, device=positions.device) / d_k)
    angle = einsum(positions.double(), freq, "... s, p -> ... s p")
    c, s = torch.cos(angle), torch.sin(angle)
    return rearrange(torch.stack([c, -s, s, c], dim=-1), "... (i j) -> ... i j", i=2, j=2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    turn = _rotations(d_k, theta, token_positions).to(in_query_or_key.dtype)
    pairs = rearrange(in_query_or_key, "... s (p j) -> ... s p j", j=2)
    turned = (turn @ pairs.unsqueeze(-1)).squeeze(-1)
    return rearrange(turned, "... s p i -> ... s (p i)")


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V)


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
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("heads do not divide the model dimension")
    x = in_features
    seq = x.shape[-2]
    qkv = x @ torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0).T
    qkv = qkv.unflatten(-1, (3, num_heads, d_head)).movedim(-3, 0).transpose(-3, -2)
    q, k, v = qkv.unbind(0)

    positions = torch.arange(seq, device=x.device) if token_positions is None or token_positions.shape == (1, seq) else token_positions
    if positions.ndim != 1:
        positions = positions[..., None, :]
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v).movedim(-3, -2).flatten(-2)
    return torch.matmul(y, o_proj_weight.t()).view_as(x)
