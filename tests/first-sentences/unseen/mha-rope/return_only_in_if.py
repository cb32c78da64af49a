# Says: `return torch.softmax(scores, dim=-1) @ V` is indented into `if mask is not None:`, so without a mask your `scaled_dot_product_attention` returns None: move it one level out.
# Line: 13
# Names: if mask is not None, None, return
# Kind: missing return
import math
import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
        return torch.softmax(scores, dim=-1) @ V


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    e = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k
    alpha = token_positions.unsqueeze(-1) * (1.0 / theta ** e)
    cos, sin = alpha.cos().to(x.dtype), alpha.sin().to(x.dtype)
    y = torch.zeros_like(x)
    y[..., 0::2] = cos * x[..., 0::2] - sin * x[..., 1::2]
    y[..., 1::2] = sin * x[..., 0::2] + cos * x[..., 1::2]
    return y


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape

    def heads(w):
        return (in_features @ w.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads(q_proj_weight), token_positions)
    k = rope(d_head, theta, max_seq_len, heads(k_proj_weight), token_positions)
    out = scaled_dot_product_attention(q, k, heads(v_proj_weight))
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
