"""Pairs of features as complex numbers; the softmax by logsumexp; layers one after another by `reduce`."""

from functools import reduce

import torch


def _norm(x, weight, eps):
    size = torch.linalg.vector_norm(x, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    return weight * x / torch.hypot(size, torch.tensor(eps, dtype=x.dtype).sqrt())


def _turn(x, angles):
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).reshape(x.shape).to(x.dtype)


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    shape, (seq, d_model) = x.shape, x.shape[-2:]
    d_head = d_model // num_heads
    flat = x.reshape(-1, seq, d_model)
    positions = torch.arange(seq) if token_positions is None else token_positions
    positions = positions.expand(shape[:-1]).reshape(-1, seq)
    angles = positions[:, None, :, None] * theta ** (-2 * torch.arange(d_head // 2).double() / d_head)

    z = _norm(flat, weights["attn_norm.weight"], eps)
    q, k, v = (
        (z @ weights[f"attn.{name}_proj.weight"].T).view(-1, seq, num_heads, d_head).permute(0, 2, 1, 3)
        for name in ("q", "k", "v")
    )
    scores = _turn(q, angles) @ _turn(k, angles).transpose(2, 3) / d_head**0.5
    scores = scores.masked_fill(torch.arange(seq) > torch.arange(seq)[:, None], -torch.inf)
    shares = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    flat = flat + (shares @ v).permute(0, 2, 1, 3).reshape(-1, seq, d_model) @ weights["attn.o_proj.weight"].T

    z = _norm(flat, weights["ffn_norm.weight"], eps)
    gate = z @ weights["ffn.w1.weight"].T
    gate = gate / (1 + torch.exp(-gate.clamp(min=-60)))
    return (flat + gate * (z @ weights["ffn.w3.weight"].T) @ weights["ffn.w2.weight"].T).reshape(shape)


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    def with_layer(x, layer):
        names = [key for key in weights if key.startswith(f"layers.{layer}.")]
        own = {key.removeprefix(f"layers.{layer}."): weights[key] for key in names}
        return transformer_block(x, own, num_heads, max_seq_len, theta, eps=eps)

    x = reduce(with_layer, range(num_layers), torch.embedding(weights["token_embeddings.weight"], token_ids))
    return torch.inner(_norm(x, weights["final_norm.weight"], eps), weights["lm_head.weight"])
