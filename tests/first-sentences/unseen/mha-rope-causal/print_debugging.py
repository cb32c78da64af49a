# Says: Your loop with `print(i, j, scores[..., i, j])` writes lines for every pair of tokens at every call, which slows everything down and fills the log: delete this debugging output.
# Line: 24
# Names: print, scores
# Kind: other
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    # why is this nan???
    for i in range(scores.shape[-2]):
        for j in range(scores.shape[-1]):
            print(i, j, scores[..., i, j])
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    Q, K, V = ((in_features @ w.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    mask = torch.tril(torch.ones(seq, seq, dtype=torch.bool))
    out = scaled_dot_product_attention(Q, K, V, mask)
    return out.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
