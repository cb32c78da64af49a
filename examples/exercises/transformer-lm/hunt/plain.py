"""A language model, with a small function for each part."""

import torch


def rms_norm(x, weight, eps):
    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight


def rope(x, positions, theta):
    exponents = torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1]
    angles = positions[..., None] / theta**exponents
    cos, sin = (f(angles).to(x.dtype) for f in (torch.cos, torch.sin))
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1).flatten(start_dim=-2)


def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    shares = torch.softmax(scores.masked_fill(~seen, -torch.inf), dim=-1)
    return shares @ v


def self_attention(z, weights, num_heads, theta):
    q = z @ weights["attn.q_proj.weight"].T
    k = z @ weights["attn.k_proj.weight"].T
    v = z @ weights["attn.v_proj.weight"].T
    q, k, v = (part.unflatten(-1, (num_heads, -1)).transpose(-3, -2) for part in (q, k, v))
    positions = torch.arange(z.shape[-2])
    q = rope(q, positions, theta)
    k = rope(k, positions, theta)
    context = attention(q, k, v)
    merged = context.transpose(-3, -2).flatten(start_dim=-2)
    return merged @ weights["attn.o_proj.weight"].T


def feed_forward(z, weights):
    gate = z @ weights["ffn.w1.weight"].T
    value = z @ weights["ffn.w3.weight"].T
    hidden = gate * torch.sigmoid(gate) * value
    return hidden @ weights["ffn.w2.weight"].T


def block(x, weights, num_heads, theta, eps):
    normed = rms_norm(x, weights["attn_norm.weight"], eps)
    x = x + self_attention(normed, weights, num_heads, theta)
    normed = rms_norm(x, weights["ffn_norm.weight"], eps)
    return x + feed_forward(normed, weights)


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    x = weights["token_embeddings.weight"][token_ids]
    for layer in range(num_layers):
        prefix = f"layers.{layer}."
        own = {key.removeprefix(prefix): weight for key, weight in weights.items() if key.startswith(prefix)}
        x = block(x, own, num_heads, theta, eps)
    x = rms_norm(x, weights["final_norm.weight"], eps)
    return x @ weights["lm_head.weight"].T
