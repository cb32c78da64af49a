# Says: The line `model = Transformer(vocab_size=1000)` at the end of the file is from your notebook: `Transformer` is not defined here, so delete the training code.
# Line: 85
# Names: Transformer
# Kind: crash
import math

import torch
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # one frequency for every pair of features
    pair = torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device)
    inv_freq = 1.0 / (theta ** (pair / d_k))
    angles = token_positions.unsqueeze(-1) * inv_freq
    cos = torch.cos(angles).to(in_query_or_key.dtype)
    sin = torch.sin(angles).to(in_query_or_key.dtype)

    x1 = in_query_or_key[..., 0::2]
    x2 = in_query_or_key[..., 1::2]
    out = torch.empty_like(in_query_or_key)
    out[..., 0::2] = x1 * cos - x2 * sin
    out[..., 1::2] = x1 * sin + x2 * cos
    return out


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
    causal_mask = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=in_features.device))
    out = scaled_dot_product_attention(Q, K, V, mask=causal_mask)

    # 5. merge the heads
    out = out.transpose(-3, -2).reshape(*batch_dims, seq_len, d_model)
    return out @ o_proj_weight.T


# %% [markdown]
# ## Training

# %%
torch.manual_seed(42)
model = Transformer(vocab_size=1000)
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(200):
    xb = torch.randint(0, 1000, (8, 64))
    loss = model(xb).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
