"""Query by query, each over the keys that it may see; layers by recursion, from the last one down."""

import torch


def normed(x, weight, eps):
    return x / ((x**2).mean(dim=-1, keepdim=True) + eps) ** 0.5 * weight


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    w = {name.removesuffix(".weight").rpartition(".")[2]: weight for name, weight in weights.items()}
    seq = x.shape[-2]
    d_head = x.shape[-1] // num_heads
    positions = torch.arange(seq) if token_positions is None else token_positions
    angles = positions.double().unsqueeze(-1) / theta ** (torch.arange(0, d_head, 2).double() / d_head)
    cos, sin = (table.to(x.dtype).unsqueeze(-2) for table in (torch.cos(angles), torch.sin(angles)))

    def turn(y):
        out = torch.empty_like(y)
        out[..., 0::2] = y[..., 0::2] * cos - y[..., 1::2] * sin
        out[..., 1::2] = y[..., 0::2] * sin + y[..., 1::2] * cos
        return out

    z = normed(x, w["attn_norm"], eps)
    q, k, v = ((z @ w[name].mT).unflatten(-1, (num_heads, d_head)) for name in ("q_proj", "k_proj", "v_proj"))
    q, k = turn(q), turn(k)
    rows = []
    for i in range(seq):
        seen_k, seen_v = k[..., : i + 1, :, :], v[..., : i + 1, :, :]
        shares = torch.softmax((q[..., i : i + 1, :, :] * seen_k).sum(-1, keepdim=True) / d_head**0.5, dim=-3)
        rows.append((shares * seen_v).sum(dim=-3))
    x = x + torch.stack(rows, dim=-3).flatten(-2) @ w["o_proj"].mT

    z = normed(x, w["ffn_norm"], eps)
    gate = z @ w["w1"].mT
    return x + (gate * (1 + torch.tanh(gate / 2)) / 2 * (z @ w["w3"].mT)) @ w["w2"].mT


def after(layer, token_ids, weights, num_heads, max_seq_len, theta, eps):
    """What stands on the residual path after that many layers."""
    if layer == 0:
        rows = weights["token_embeddings.weight"].index_select(0, token_ids.flatten())
        return rows.unflatten(0, token_ids.shape)
    x = after(layer - 1, token_ids, weights, num_heads, max_seq_len, theta, eps)
    prefix = f"layers.{layer - 1}."
    own = {key.replace(prefix, "", 1): weight for key, weight in weights.items() if key.startswith(prefix)}
    return transformer_block(x, own, num_heads, max_seq_len, theta, eps=eps)


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    x = after(num_layers, token_ids, weights, num_heads, max_seq_len, theta, eps)
    return normed(x, weights["final_norm.weight"], eps) @ weights["lm_head.weight"].mT
