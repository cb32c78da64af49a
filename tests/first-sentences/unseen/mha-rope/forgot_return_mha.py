# Says: `multihead_self_attention_with_rope` computes `output = out @ o_proj_weight.T` and then ends without `return output`, so callers get None.
# Line: 56
# Names: output, return
# Kind: missing return
import torch
import math

# CS336 assignment, RoPE attention

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = torch.arange(0, d_k, 2, dtype=torch.float64) / d_k
    inv_freq = 1.0 / (theta ** half)
    table = torch.outer(torch.arange(max_seq_len, dtype=torch.float64), inv_freq)
    cos = table.cos()[token_positions].to(in_query_or_key.dtype)
    sin = table.sin()[token_positions].to(in_query_or_key.dtype)
    x_even = in_query_or_key[..., 0::2]
    x_odd = in_query_or_key[..., 1::2]
    r_even = x_even * cos - x_odd * sin
    r_odd = x_even * sin + x_odd * cos
    return torch.stack((r_even, r_odd), dim=-1).reshape(in_query_or_key.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2)
    scores = scores / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    probs = torch.softmax(scores, dim=-1)
    return probs @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
        q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
        in_features, token_positions=None):
    assert d_model % num_heads == 0, "d_model not divisible"
    d_head = d_model // num_heads
    seq = in_features.size(-2)
    batch_dims = in_features.shape[:-2]

    def to_heads(t):
        t = t.reshape(*batch_dims, seq, num_heads, d_head)
        return t.transpose(-3, -2)

    q = to_heads(in_features @ q_proj_weight.T)
    k = to_heads(in_features @ k_proj_weight.T)
    v = to_heads(in_features @ v_proj_weight.T)

    pos = token_positions if token_positions is not None else torch.arange(seq)
    if pos.dim() > 1:
        pos = pos.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)

    out = scaled_dot_product_attention(q, k, v)
    out = out.transpose(-3, -2).reshape(*batch_dims, seq, d_model)
    output = out @ o_proj_weight.T
