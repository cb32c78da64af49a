"""A right answer of the seventh corpus."""
import torch
from torch.func import vmap


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    j = torch.arange(0, d_k, 2, device=in_query_or_key.device)
    w = torch.exp(torch.log(torch.tensor(float(theta), dtype=torch.float64, device=j.device)) * (-j.double() / d_k))
    a = (token_positions.double().unsqueeze(-1) * w).to(torch.float64)
    cs = torch.stack((a.cos(), a.sin()), dim=-1).to(in_query_or_key.dtype)
    x = in_query_or_key.unflatten(-1, (-1, 2))
    real = (x * cs * torch.tensor([1, -1], device=x.device)).sum(-1)
    imag = (x.flip(-1) * cs).sum(-1)
    return torch.stack((real, imag), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = torch.matmul(Q, K.transpose(-1, -2)) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return torch.matmul(s.softmax(-1), V)


def _sequence(x, p, h, theta, limit, wq, wk, wv, wo):
    if x.dim() > 2:
        if p.dim() > 1:
            p = p.expand(x.shape[:-1])
        return vmap(_sequence, in_dims=(0, 0 if p.dim() > 1 else None) + (None,) * 7)(x, p, h, theta, limit, wq, wk, wv, wo)
    n, d = x.shape
    q, k, v = ((x @ w.T).reshape(n, h, d // h).transpose(0, 1) for w in (wq, wk, wv))
    p = p.reshape(n)
    i = torch.arange(n, device=x.device)
    z = scaled_dot_product_attention(
        rope(d // h, theta, limit, q, p), rope(d // h, theta, limit, k, p), v, i.unsqueeze(1) >= i.unsqueeze(0)
    )
    return z.transpose(0, 1).reshape(n, d) @ wo.T


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError("heads")
    p = token_positions if token_positions is not None else torch.arange(in_features.shape[-2], device=in_features.device)
    return _sequence(
        in_features, p, num_heads, theta, max_seq_len, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight
    )
