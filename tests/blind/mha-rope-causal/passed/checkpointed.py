"""torch.utils.checkpoint computes the attention again in the backward pass instead of keeping its weights."""

import torch
from torch.utils.checkpoint import checkpoint


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    pair_index = torch.arange(d_k, device=x.device).div(2, rounding_mode="floor")
    angle = token_positions.unsqueeze(-1).double() / torch.pow(float(theta), 2.0 * pair_index.double() / d_k)
    rotated = torch.cat((-x[..., 1::2, None], x[..., 0::2, None]), dim=-1).reshape(x.shape)
    return x * angle.cos().to(x.dtype) + rotated * angle.sin().to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), float("-inf"))
    return torch.softmax(scores, -1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    *batch, seq, _ = in_features.shape
    heads = lambda w: torch.matmul(in_features, w.T).reshape(*batch, seq, num_heads, d_model // num_heads).transpose(-3, -2)
    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    places = torch.arange(seq, device=q.device) if token_positions is None else token_positions
    places = places.view(seq) if places.numel() == seq else places.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, places)
    k = rope(d_model // num_heads, theta, max_seq_len, k, places)
    index = torch.arange(seq, device=q.device)
    causal = index[:, None] >= index[None, :]
    if torch.is_grad_enabled():
        out = checkpoint(scaled_dot_product_attention, q, k, v, causal, use_reentrant=False)
    else:
        out = scaled_dot_product_attention(q, k, v, causal)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
