# Says: `print "Q:", Q.shape` is Python 2, in Python 3 `print` is a function and needs brackets; better still, delete the line.
# Line: 28
# Names: print, brackets
# Kind: refused
import math, torch

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    fr = 1. / (theta ** (torch.arange(0, d_k, 2).double() / d_k))
    ph = token_positions.unsqueeze(-1) * fr
    co, si = torch.cos(ph).to(in_query_or_key.dtype), torch.sin(ph).to(in_query_or_key.dtype)
    ev, od = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack([ev * co - od * si, ev * si + od * co], -1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    return torch.matmul(torch.softmax(scores, dim=-1), V)

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model / num_heads
    d_head = int(d_head)
    sh = list(in_features.shape)
    Q = torch.matmul(in_features, q_proj_weight.T).reshape(sh[:-1] + [num_heads, d_head]).transpose(-3, -2)
    K = torch.matmul(in_features, k_proj_weight.T).reshape(sh[:-1] + [num_heads, d_head]).transpose(-3, -2)
    V = torch.matmul(in_features, v_proj_weight.T).reshape(sh[:-1] + [num_heads, d_head]).transpose(-3, -2)
    print "Q:", Q.shape
    if token_positions is None:
        token_positions = torch.arange(sh[-2])
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    O = scaled_dot_product_attention(Q, K, V)
    return torch.matmul(O.transpose(-3, -2).reshape(sh), o_proj_weight.T)
