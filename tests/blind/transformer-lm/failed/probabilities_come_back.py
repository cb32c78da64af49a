"""Wrong: a softmax over the vocabulary is taken at the end, so probabilities come back instead of logits."""
import torch


def scaled(v, gain, eps):
    power = torch.mean(v * v, dim=-1, keepdim=True)
    return gain * v * torch.rsqrt(power + eps)


def spin(v, cos, sin):
    out = torch.empty_like(v)
    out[..., 0::2] = v[..., 0::2] * cos - v[..., 1::2] * sin
    out[..., 1::2] = v[..., 0::2] * sin + v[..., 1::2] * cos
    return out


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    seq, d_model = x.shape[-2], x.shape[-1]
    d_head = d_model // num_heads
    flat = x.reshape(-1, seq, d_model)
    batch = flat.shape[0]

    positions = torch.arange(seq) if token_positions is None else token_positions
    positions = positions.expand(x.shape[:-1]).reshape(batch, seq)
    rates = torch.pow(torch.tensor(theta, dtype=torch.float64), -torch.arange(0, d_head, 2).double() / d_head)
    angles = (positions.double()[:, :, None] * rates).repeat_interleave(num_heads, 0)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)

    stacked = torch.cat([weights[f"attn.{c}_proj.weight"] for c in "qkv"])
    qkv = scaled(flat, weights["attn_norm.weight"], eps) @ stacked.T
    qkv = qkv.reshape(batch, seq, 3, num_heads, d_head).permute(2, 0, 3, 1, 4).reshape(3, batch * num_heads, seq, d_head)
    mask = torch.full((seq, seq), -torch.inf, dtype=x.dtype).triu(1).expand(batch * num_heads, seq, seq)
    q, k, v = spin(qkv[0], cos, sin), spin(qkv[1], cos, sin), qkv[2]
    scores = torch.baddbmm(mask, q, k.mT, alpha=d_head**-0.5)
    heads = torch.bmm(torch.softmax(scores, 2), v).reshape(batch, num_heads, seq, d_head)
    h = flat + heads.transpose(1, 2).reshape(batch, seq, d_model) @ weights["attn.o_proj.weight"].T

    z = scaled(h, weights["ffn_norm.weight"], eps)
    up = z @ torch.cat([weights["ffn.w1.weight"], weights["ffn.w3.weight"]]).T
    gate, let_through = up.chunk(2, dim=-1)
    silu = gate * 0.5 * (1 + torch.tanh(gate * 0.5))
    return (h + (silu * let_through) @ weights["ffn.w2.weight"].T).reshape(x.shape)


NAMES = [f"attn.{c}_proj.weight" for c in "qkvo"] + [f"ffn.w{i}.weight" for i in (1, 2, 3)]
NAMES += ["attn_norm.weight", "ffn_norm.weight"]


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    stacks = {name: torch.stack([weights[f"layers.{i}.{name}"] for i in range(num_layers)]) for name in NAMES}
    ids = token_ids.reshape(-1, token_ids.shape[-1])
    x = weights["token_embeddings.weight"].index_select(0, ids.flatten()).unflatten(0, ids.shape)
    for layer in zip(*(stacks[name].unbind() for name in NAMES)):
        x = transformer_block(x, dict(zip(NAMES, layer)), num_heads, max_seq_len, theta, eps=eps)
    z = scaled(x, weights["final_norm.weight"], eps)
    logits = (z.flatten(0, 1) @ weights["lm_head.weight"].T).unflatten(0, ids.shape)
    return logits.softmax(-1).reshape(*token_ids.shape, -1)
