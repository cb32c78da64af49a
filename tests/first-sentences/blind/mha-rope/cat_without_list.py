# Says: `torch.cat(even, odd, dim=-1)` gives the tensors one by one, but `cat` wants them in a list or tuple (and pairs want `torch.stack`, then `flatten`).
# Line: 15
# Names: torch.cat, even, tuple
# Kind: crash
import math
import torch

def rope(d_k, theta, max_seq_len, q_or_k, positions):
    freq = torch.exp(-math.log(theta) * torch.arange(0, d_k, 2).double() / d_k)
    phi = positions.double().unsqueeze(-1) * freq
    cos = phi.cos().to(q_or_k.dtype)
    sin = phi.sin().to(q_or_k.dtype)
    even = q_or_k[..., 0::2] * cos - q_or_k[..., 1::2] * sin
    odd = q_or_k[..., 0::2] * sin + q_or_k[..., 1::2] * cos
    return torch.cat(even, odd, dim=-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    return torch.matmul(attn, V)


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
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq_len = in_features.shape[-2]
    batch_dims = in_features.shape[:-2]

    # 1. project
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T

    # 2. split into heads
    Q = Q.reshape(*batch_dims, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*batch_dims, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*batch_dims, seq_len, num_heads, d_head).transpose(-3, -2)

    # 3. rope
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)

    # 4. attention
    out = scaled_dot_product_attention(Q, K, V)

    # 5. merge the heads
    out = out.transpose(-3, -2).reshape(*batch_dims, seq_len, d_model)
    return out @ o_proj_weight.T
