"""Right: an nn.Module whose linear layers are replaced by the caller's tensors in functional_call."""
import torch
from torch import nn
from torch.func import functional_call


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    steps = torch.arange(d_k, device=in_query_or_key.device) // 2 * 2
    angle = token_positions.unsqueeze(-1) * torch.pow(float(theta), -steps.double() / d_k)
    cos, sin = angle.cos().to(in_query_or_key), angle.sin().to(in_query_or_key)
    partner = torch.stack((-in_query_or_key[..., 1::2], in_query_or_key[..., ::2]), dim=-1).flatten(-2)
    return torch.addcmul(in_query_or_key * cos, partner, sin)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = (Q * Q.size(-1) ** -0.5).matmul(K.mT)
    if mask is not None:
        logits = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
    return logits.softmax(dim=-1).matmul(V)


class CausalRopeAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.proj = nn.ModuleDict({n: nn.Linear(d_model, d_model, bias=False, device="meta") for n in "qkvo"})

    def heads(self, name, x):
        return self.proj[name](x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)

    def forward(self, x, rotate):
        n = x.size(-2)
        i = torch.arange(n, device=x.device)
        mask = i.unsqueeze(0) <= i.unsqueeze(1)
        y = scaled_dot_product_attention(rotate(self.heads("q", x)), rotate(self.heads("k", x)), self.heads("v", x), mask)
        return self.proj["o"](y.transpose(-3, -2).flatten(-2))


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
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    where = token_positions.unsqueeze(-2)
    weights = dict(zip("qkvo", (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight)))
    return functional_call(
        CausalRopeAttention(d_model, num_heads),
        {f"proj.{n}.weight": w for n, w in weights.items()},
        (in_features, lambda t: rope(d_model // num_heads, theta, max_seq_len, t, where)),
    )
