"""torch.func.vmap runs code for a single sequence over the flattened batch; heads stay an ordinary axis."""

import torch
from torch.func import vmap


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    powers = torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k
    angles = token_positions.double()[..., None] * torch.pow(float(theta), -powers)
    cos = torch.cos(angles).to(in_query_or_key.dtype).repeat_interleave(2, dim=-1)
    sin = torch.sin(angles).to(in_query_or_key.dtype).repeat_interleave(2, dim=-1)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    quarter_turn = torch.stack((-odd, even), dim=-1).flatten(-2)
    return in_query_or_key * cos + quarter_turn * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / (Q.shape[-1] ** 0.5)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return torch.matmul(scores.softmax(dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    d_head, seq = d_model // num_heads, in_features.shape[-2]
    batch = in_features.shape[:-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.numel() == seq:
        token_positions = token_positions.reshape(seq)
    flat = in_features.reshape(-1, seq, d_model)
    positions = token_positions.expand(*batch, seq).reshape(-1, seq)

    def one_sequence(x, where):
        q, k, v = (
            (x @ w.T).reshape(seq, num_heads, d_head).transpose(0, 1)
            for w in (q_proj_weight, k_proj_weight, v_proj_weight)
        )
        q = rope(d_head, theta, max_seq_len, q, where)
        k = rope(d_head, theta, max_seq_len, k, where)
        return scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(seq, d_model) @ o_proj_weight.T

    return vmap(one_sequence)(flat, positions).reshape(in_features.shape)
