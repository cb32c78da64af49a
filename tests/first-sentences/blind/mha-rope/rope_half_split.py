# Says: `rope` pairs feature i with feature i + d_k/2 (`x1, x2 = x[..., :d_k // 2], x[..., d_k // 2:]`), but the exercise turns neighbouring features (2i, 2i+1).
# Line: 12
# Names: rope, neighbouring, 2i
# Kind: wrong idea
import math
import torch

def rope(d_k, theta, max_seq_len, x, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    a = token_positions.double()[..., None] * freqs
    cos, sin = a.cos().to(x.dtype), a.sin().to(x.dtype)
    x1, x2 = x[..., :d_k // 2], x[..., d_k // 2:]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)


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
