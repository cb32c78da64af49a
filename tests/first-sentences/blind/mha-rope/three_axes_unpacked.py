# Says: `batch, seq, _ = in_features.shape` unpacks exactly three axes, but `in_features` may have fewer or more: take `*batch, seq, _`.
# Line: 29
# Names: in_features.shape, *batch
# Kind: crash
# TP attention multi-tete - groupe 4
import torch
import torch.nn.functional as F

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    puissances = torch.arange(0, d_k, 2).double() / d_k
    angle = token_positions.double()[..., None] / theta ** puissances
    c, s = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    pair, impair = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    sortie = torch.zeros_like(in_query_or_key)
    sortie[..., 0::2] = c * pair - s * impair
    sortie[..., 1::2] = s * pair + c * impair
    return sortie

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return F.softmax(scores, dim=-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_tete = d_model // num_heads
    batch, seq, _ = in_features.shape
    q = (in_features @ q_proj_weight.T).reshape(batch, seq, num_heads, d_tete).transpose(1, 2)
    k = (in_features @ k_proj_weight.T).reshape(batch, seq, num_heads, d_tete).transpose(1, 2)
    v = (in_features @ v_proj_weight.T).reshape(batch, seq, num_heads, d_tete).transpose(1, 2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() == 2:
        token_positions = token_positions[:, None, :]
    q = rope(d_tete, theta, max_seq_len, q, token_positions)
    k = rope(d_tete, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v)
    y = y.transpose(1, 2).reshape(batch, seq, d_model)
    return y @ o_proj_weight.T
