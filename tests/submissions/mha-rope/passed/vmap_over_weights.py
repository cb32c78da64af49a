"""One head as a function, vmap over the heads' weights.
"""

import torch
from torch.func import vmap


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    dtype = in_query_or_key.dtype
    half = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=torch.float64)
    freq = theta ** (-2.0 * half / d_k)
    phase = token_positions.to(torch.float64).unsqueeze(-1) * freq
    z = torch.complex(in_query_or_key[..., 0::2].double(), in_query_or_key[..., 1::2].double())
    z = z * torch.exp(1j * phase)
    return torch.stack((z.real, z.imag), -1).flatten(-2).to(dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    w = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        w = torch.where(mask, w, torch.full_like(w, float("-inf")))
    return torch.softmax(w, -1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads != 0")
    d = d_model // num_heads
    pos = torch.arange(in_features.size(-2), device=in_features.device) if token_positions is None else token_positions
    lead = in_features.shape[:-2]
    pos = pos.expand(*lead, in_features.size(-2)) if lead else pos.reshape(in_features.size(-2))

    def head(wq, wk, wv):
        # weights of one head: (d, d_model)
        q = rope(d, theta, max_seq_len, in_features @ wq.T, pos)
        k = rope(d, theta, max_seq_len, in_features @ wk.T, pos)
        return scaled_dot_product_attention(q, k, in_features @ wv.T)

    out = vmap(head, out_dims=-2)(
        q_proj_weight.view(num_heads, d, d_model),
        k_proj_weight.view(num_heads, d, d_model),
        v_proj_weight.view(num_heads, d, d_model),
    )
    return out.flatten(-2) @ o_proj_weight.T
