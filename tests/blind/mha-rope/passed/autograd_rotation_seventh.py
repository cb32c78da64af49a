"""A right answer of the seventh corpus."""
import torch
from torch.autograd import Function


def _turn(x, cos, sin):
    out = torch.empty(torch.broadcast_shapes(x.shape[:-1], cos.shape[:-1]) + x.shape[-1:], dtype=x.dtype, device=x.device)
    even, odd = x[..., 0::2], x[..., 1::2]
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out


class Rotate(Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        ctx.shape = x.shape
        return _turn(x, cos, sin)

    @staticmethod
    def backward(ctx, grad):
        cos, sin = ctx.saved_tensors
        return _turn(grad, cos, -sin).sum_to_size(ctx.shape), None, None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exponent = torch.linspace(0, 1, d_k // 2 + 1, dtype=torch.float64, device=token_positions.device)[:-1]
    angle = token_positions.unsqueeze(-1) / float(theta) ** exponent
    dtype = in_query_or_key.dtype
    return Rotate.apply(in_query_or_key, angle.cos().to(dtype), angle.sin().to(dtype))


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = Q @ K.transpose(-2, -1)
    S = S / torch.tensor(Q.shape[-1], dtype=S.dtype, device=S.device).sqrt()
    if mask is not None:
        S = S.masked_fill(mask.logical_not(), -torch.inf)
    return torch.softmax(S, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None, *, debug=False,
):
    if (d_model // num_heads) * num_heads != d_model:
        raise ValueError("d_model must be a multiple of num_heads")
    qkv = in_features @ torch.cat((q_proj_weight, k_proj_weight, v_proj_weight)).T
    q, k, v = qkv.unflatten(-1, (3, num_heads, d_model // num_heads)).unbind(-3)
    q, k, v = q.swapaxes(-2, -3), k.swapaxes(-2, -3), v.swapaxes(-2, -3)
    if debug:
        print(q.shape, k.shape, v.shape)
    p = token_positions if token_positions is not None else torch.arange(q.shape[-2], device=q.device)
    args = (d_model // num_heads, theta, max_seq_len)
    y = scaled_dot_product_attention(rope(*args, q, p.unsqueeze(-2)), rope(*args, k, p.unsqueeze(-2)), v)
    return y.swapaxes(-2, -3).flatten(-2).reshape(in_features.shape) @ o_proj_weight.T
