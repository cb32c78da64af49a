"""Reshapes the keys to (d, tokens) instead of transposing them: the right shape, other numbers."""
# expect: keys reshaped, not transposed
import math

import torch

NEG_INF = float("-inf")


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    src = in_query_or_key
    half = d_k // 2
    # for (int i = 0; i < half; ++i) freq[i] = powf(theta, -2.0f * i / d_k);
    freq = torch.tensor([math.pow(theta, -2.0 * i / d_k) for i in range(half)], dtype=torch.float64, device=src.device)
    ang = token_positions.to(torch.float64).unsqueeze(-1) * freq
    cs = torch.cos(ang).to(src.dtype)
    sn = torch.sin(ang).to(src.dtype)
    dst = torch.zeros_like(src)
    x0 = src[..., 0:d_k:2]
    x1 = src[..., 1:d_k:2]
    dst[..., 0:d_k:2] = x0 * cs - x1 * sn
    dst[..., 1:d_k:2] = x0 * sn + x1 * cs
    return dst


def scaled_dot_product_attention(Q, K, V, mask=None):
    n_embd_head = Q.size(-1)
    kq_scale = 1.0 / math.sqrt(n_embd_head)
    kq = torch.matmul(Q, K.reshape(*K.shape[:-2], K.size(-1), K.size(-2))) * kq_scale
    if mask is not None:
        kq_mask = torch.zeros(mask.shape, dtype=kq.dtype, device=kq.device)
        kq_mask[~mask] = NEG_INF
        kq = kq + kq_mask
    kq = torch.softmax(kq, dim=-1)
    kqv = torch.matmul(kq, V)
    return kqv


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
    assert d_model % num_heads == 0, "GGML_ASSERT(n_embd % n_head == 0)"
    n_embd_head = d_model // num_heads
    n_tokens = in_features.size(-2)
    lead = in_features.size()[:-2]

    Qcur = torch.matmul(in_features, q_proj_weight.t())
    Kcur = torch.matmul(in_features, k_proj_weight.t())
    Vcur = torch.matmul(in_features, v_proj_weight.t())

    Qcur = Qcur.reshape(*lead, n_tokens, num_heads, n_embd_head).transpose(-2, -3)
    Kcur = Kcur.reshape(*lead, n_tokens, num_heads, n_embd_head).transpose(-2, -3)
    Vcur = Vcur.reshape(*lead, n_tokens, num_heads, n_embd_head).transpose(-2, -3)

    inp_pos = token_positions
    if inp_pos is None:
        inp_pos = torch.arange(n_tokens, dtype=torch.int64, device=in_features.device)
    inp_pos = inp_pos.unsqueeze(-2)

    Qcur = rope(n_embd_head, theta, max_seq_len, Qcur, inp_pos)
    Kcur = rope(n_embd_head, theta, max_seq_len, Kcur, inp_pos)

    causal = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=in_features.device).tril_()
    cur = scaled_dot_product_attention(Qcur, Kcur, Vcur, causal)
    cur = cur.transpose(-2, -3).reshape(*lead, n_tokens, d_model)
    return torch.matmul(cur, o_proj_weight.t())
