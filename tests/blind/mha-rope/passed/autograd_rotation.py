"""Right: rope with a backward of my own, which is the rotation the other way round."""
import torch


class Rotate(torch.autograd.Function):
    @staticmethod
    def turn(x, cos, sin):
        out = torch.empty(torch.broadcast_shapes(x.shape[:-1], cos.shape[:-1]) + x.shape[-1:], dtype=x.dtype, device=x.device)
        a, b = x[..., 0::2], x[..., 1::2]
        out[..., 0::2] = a * cos - b * sin
        out[..., 1::2] = a * sin + b * cos
        return out

    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        ctx.shape = x.shape
        return Rotate.turn(x, cos, sin)

    @staticmethod
    def backward(ctx, grad):
        cos, sin = ctx.saved_tensors
        return Rotate.turn(grad, cos, -sin).sum_to_size(ctx.shape), None, None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    with torch.no_grad():
        rate = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device) / d_k)
        angle = torch.mul(token_positions.double()[..., None], rate)
        cos, sin = angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype)
    return Rotate.apply(in_query_or_key, cos, sin)


def scaled_dot_product_attention(Q, K, V, mask=None):
    w = Q.matmul(K.transpose(-2, -1)).div(Q.size(-1) ** 0.5)
    w = w if mask is None else w.masked_fill(mask.eq(False), float("-inf"))
    return w.softmax(-1).matmul(V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    *lead, s, _ = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(s, device=in_features.device)
    qk = torch.stack((q_proj_weight, k_proj_weight))
    q, k = torch.einsum("...si,noi->n...so", in_features, qk).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    v = torch.einsum("...si,oi->...so", in_features, v_proj_weight).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    p = token_positions.unsqueeze(-2)
    d = d_model // num_heads
    z = scaled_dot_product_attention(rope(d, theta, max_seq_len, q, p), rope(d, theta, max_seq_len, k, p), v)
    return z.transpose(-3, -2).reshape(*lead, s, d_model).matmul(o_proj_weight.t())
