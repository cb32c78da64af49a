"""Rope is a torch.autograd.Function whose backward pass turns gradients the other way round."""

import torch


class Turn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, angle):
        ctx.save_for_backward(angle)
        return Turn.turn(x, angle)

    @staticmethod
    def backward(ctx, grad):
        (angle,) = ctx.saved_tensors
        return (Turn.turn(grad, -angle) if ctx.needs_input_grad[0] else None), None

    @staticmethod
    def turn(x, angle):
        a, b = x[..., 0::2], x[..., 1::2]
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inverse = torch.pow(float(theta), torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device).neg() / d_k)
    return Turn.apply(in_query_or_key, token_positions.double().unsqueeze(-1) * inverse)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    return torch.matmul(torch.softmax(scores, -1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions.reshape(seq) if token_positions.numel() == seq else token_positions[..., None, :]
    stacked = torch.stack((q_proj_weight, k_proj_weight, v_proj_weight))
    projected = torch.einsum("...i,woi->w...o", in_features, stacked)
    q, k, v = projected.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    earlier = torch.ones(seq, seq, dtype=torch.int8, device=q.device).cumsum(0) >= torch.ones(seq, seq, dtype=torch.int8, device=q.device).cumsum(1)
    return scaled_dot_product_attention(q, k, v, earlier).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
