"""All reshaping and all products with einops; the weights are sorted into layers by the numbers in their keys."""

import torch
from einops import einsum, rearrange, reduce


def norm(x, gain, eps):
    return x * (reduce(x**2, "... d -> ... 1", "mean") + eps) ** -0.5 * gain


def turned(x, positions, base):
    half = x.shape[-1] // 2
    speed = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = einsum(positions.double(), speed, "... seq, pair -> ... seq pair")
    cos, sin = (rearrange(f(angle), "... seq pair -> ... 1 seq pair").to(x.dtype) for f in (torch.cos, torch.sin))
    a, b = rearrange(x, "... (pair two) -> two ... pair", two=2)
    return rearrange([a * cos - b * sin, a * sin + b * cos], "two ... pair -> ... (pair two)")


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    where = torch.arange(x.shape[-2]) if token_positions is None else token_positions
    packed = torch.stack([weights[f"attn.{role}_proj.weight"] for role in ("q", "k", "v")])
    qkv = einsum(norm(x, weights["attn_norm.weight"], eps), packed, "... seq i, role o i -> role ... seq o")
    q, k, v = rearrange(qkv, "role ... seq (h d) -> role ... h seq d", h=num_heads)
    q, k = turned(q, where, theta), turned(k, where, theta)
    scores = einsum(q, k, "... q d, ... k d -> ... q k") * q.shape[-1] ** -0.5
    places = torch.arange(x.shape[-2])
    scores = torch.where(places[:, None] >= places, scores, -torch.inf)
    mixed = rearrange(einsum(scores.softmax(-1), v, "... q k, ... k d -> ... q d"), "... h q d -> ... q (h d)")
    h = x + einsum(mixed, weights["attn.o_proj.weight"], "... i, o i -> ... o")

    z = norm(h, weights["ffn_norm.weight"], eps)
    gate = einsum(z, weights["ffn.w1.weight"], "... i, f i -> ... f")
    passed = einsum(z, weights["ffn.w3.weight"], "... i, f i -> ... f")
    return h + einsum(gate * gate.sigmoid() * passed, weights["ffn.w2.weight"], "... f, o f -> ... o")


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    layers = [{} for _ in range(num_layers)]
    for key, weight in weights.items():
        if key.startswith("layers."):
            _, number, name = key.split(".", 2)
            layers[int(number)][name] = weight
    x = weights["token_embeddings.weight"][token_ids]
    for own in layers:
        x = transformer_block(x, own, num_heads, max_seq_len, theta, eps=eps)
    z = norm(x, weights["final_norm.weight"], eps)
    return einsum(z, weights["lm_head.weight"], "... d, vocab d -> ... vocab")
