"""A right model: embeds by a product with one-hot rows, and calls itself for the layers below."""
import torch


def norm(vector, weight, eps):
    size = vector.shape[-1]
    return vector * weight / ((vector * vector).sum(-1, keepdim=True) / size + eps) ** 0.5


def rotation(positions, d_head, theta, dtype):
    """(..., seq, d_head, d_head): one matrix of 2 by 2 blocks for each position."""
    matrix = torch.zeros(*positions.shape, d_head, d_head, dtype=torch.float64)
    for i in range(d_head // 2):
        angle = positions.double() * theta ** (-2 * i / d_head)
        a, b = 2 * i, 2 * i + 1
        matrix[..., a, a] = matrix[..., b, b] = torch.cos(angle)
        matrix[..., b, a] = torch.sin(angle)
        matrix[..., a, b] = -torch.sin(angle)
    return matrix.to(dtype)


def attend(q, k, v):
    """One head: (..., seq, d_head) each."""
    results = []
    for t in range(q.shape[-2]):
        score = (k[..., : t + 1, :] * q[..., t : t + 1, :]).sum(-1) / q.shape[-1] ** 0.5
        share = torch.softmax(score, dim=-1)
        results.append((share.unsqueeze(-1) * v[..., : t + 1, :]).sum(-2))
    return torch.stack(results, dim=-2)


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    d_head = x.shape[-1] // num_heads
    positions = token_positions if token_positions is not None else torch.arange(x.shape[-2])
    turn = rotation(positions, d_head, theta, x.dtype)
    z = norm(x, weights["attn_norm.weight"], eps)
    heads = []
    for h in range(num_heads):
        own = slice(h * d_head, (h + 1) * d_head)
        q, k, v = (z @ weights[f"attn.{name}_proj.weight"][own].T for name in ("q", "k", "v"))
        q = (turn @ q.unsqueeze(-1)).squeeze(-1)
        k = (turn @ k.unsqueeze(-1)).squeeze(-1)
        heads.append(attend(q, k, v))
    x = x + torch.cat(heads, dim=-1) @ weights["attn.o_proj.weight"].T
    z = norm(x, weights["ffn_norm.weight"], eps)
    gate = z @ weights["ffn.w1.weight"].T
    return x + (gate * gate.sigmoid() * (z @ weights["ffn.w3.weight"].T)) @ weights["ffn.w2.weight"].T


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    table = weights["token_embeddings.weight"]
    hits = (token_ids[..., None] == torch.arange(len(table))).to(table.dtype)

    def after(layers):
        if layers == 0:
            return hits @ table
        name = f"layers.{layers - 1}."
        own = {k[len(name) :]: w for k, w in weights.items() if k[: len(name)] == name}
        return transformer_block(after(layers - 1), own, num_heads, max_seq_len, theta, eps=eps)

    return norm(after(num_layers), weights["final_norm.weight"], eps) @ weights["lm_head.weight"].T
