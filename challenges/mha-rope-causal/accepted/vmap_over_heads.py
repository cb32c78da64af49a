"""One head with its mask written down plainly, and torch.vmap over the heads."""

import torch
from torch.func import vmap


def rope(d_k, theta, max_seq_len, x, token_positions):
    frequencies = 1.0 / theta ** (torch.arange(0, d_k, 2, device=x.device) / d_k)
    angles = token_positions.unsqueeze(-1) * frequencies
    pairs = x.unflatten(-1, (-1, 2))
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.stack(
        (pairs[..., 0] * cos - pairs[..., 1] * sin, pairs[..., 0] * sin + pairs[..., 1] * cos), dim=-1
    ).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return torch.softmax(scores, -1) @ V


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
    d_head, remainder = divmod(d_model, num_heads)
    if remainder:
        raise ValueError(f"num_heads = {num_heads} does not divide d_model = {d_model}")
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)

    seq = in_features.shape[-2]
    seen = in_features.new_ones(seq, seq).tril() > 0

    def one_head(w_q, w_k, w_v, w_o):
        q = rope(d_head, theta, max_seq_len, in_features @ w_q.mT, token_positions)
        k = rope(d_head, theta, max_seq_len, in_features @ w_k.mT, token_positions)
        return scaled_dot_product_attention(q, k, in_features @ w_v.mT, seen) @ w_o.mT

    by_rows = (weight.unflatten(0, (num_heads, d_head)) for weight in (q_proj_weight, k_proj_weight, v_proj_weight))
    return vmap(one_head)(*by_rows, o_proj_weight.unflatten(1, (num_heads, d_head)).movedim(1, 0)).sum(0)
