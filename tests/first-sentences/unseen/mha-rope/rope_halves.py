# Says: Your `rope` pairs feature i with feature i + d_k/2 through `chunk(2, dim=-1)`, but the pairs are neighbours, features 2i and 2i+1.
# Line: 14
# Names: chunk, neighbours
# Kind: wrong idea
import math
import torch

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # like in the llama code
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k))
    emb = token_positions.unsqueeze(-1) * inv_freq
    cos = emb.cos().to(in_query_or_key.dtype)
    sin = emb.sin().to(in_query_or_key.dtype)
    x1, x2 = in_query_or_key.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    head_dim = d_model // num_heads
    seq_len = in_features.shape[-2]
    shp = in_features.shape[:-1] + (num_heads, head_dim)
    q = (in_features @ q_proj_weight.T).reshape(shp).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).reshape(shp).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).reshape(shp).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len)
    if token_positions.dim() >= 2:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(head_dim, theta, max_seq_len, q, token_positions)
    k = rope(head_dim, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v)
    y = y.transpose(-3, -2).reshape(in_features.shape)
    return y @ o_proj_weight.T
