"""Attention is a torch.autograd.Function with its own backward pass, which honours needs_input_grad."""

import torch
from torch.autograd import Function


class _Attend(Function):
    @staticmethod
    def forward(ctx, q, k, v, hidden, scale):
        scores = (q * scale) @ k.transpose(-1, -2)
        if hidden is not None:
            scores = scores.masked_fill(hidden, -float("inf"))
        weights = torch.softmax(scores, -1)
        ctx.save_for_backward(q, k, v, weights)
        ctx.scale = scale
        return weights @ v

    @staticmethod
    def backward(ctx, grad):
        q, k, v, weights = ctx.saved_tensors
        need_q, need_k, need_v = ctx.needs_input_grad[:3]
        grad_q = grad_k = grad_v = None
        if need_v:
            grad_v = (weights.transpose(-1, -2) @ grad).sum_to_size(v.shape)
        if need_q or need_k:
            inner = grad @ v.transpose(-1, -2)
            inner = weights * (inner - (inner * weights).sum(-1, keepdim=True)) * ctx.scale
            if need_q:
                grad_q = (inner @ k).sum_to_size(q.shape)
            if need_k:
                grad_k = (inner.transpose(-1, -2) @ q).sum_to_size(k.shape)
        return grad_q, grad_k, grad_v, None, None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = torch.arange(d_k // 2, dtype=torch.float64, device=in_query_or_key.device)
    angle = token_positions.double().unsqueeze(-1) / float(theta) ** (2 * half / d_k)
    cos, sin = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    a, b = in_query_or_key.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return _Attend.apply(Q, K, V, None if mask is None else ~mask, Q.shape[-1] ** -0.5)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    seq = in_features.shape[-2]
    qkv = [
        (in_features @ w.t()).unflatten(-1, (num_heads, d_model // num_heads)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    ]
    p = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    p = p.reshape(-1) if p.numel() == seq else p.unsqueeze(-2)
    for n in (0, 1):
        qkv[n] = rope(d_model // num_heads, theta, max_seq_len, qkv[n], p)
    return scaled_dot_product_attention(*qkv).transpose(-3, -2).flatten(-2) @ o_proj_weight.t()
