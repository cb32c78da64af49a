"""Right: positions are rotated while the heads are still behind the tokens, so no axis has to be moved for rope."""
import torch
from torch import Tensor
from torch.nn import functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x, p = in_query_or_key, token_positions
    steps = torch.linspace(0, 1 - 2 / d_k, d_k // 2, dtype=torch.float64, device=x.device)
    angle = p.to(torch.float64).unsqueeze(-1) * torch.pow(float(theta), -steps)
    z = torch.complex(x[..., 0::2].double(), x[..., 1::2].double()) * torch.exp(1j * angle)
    return torch.stack((z.real, z.imag), -1).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    A = Q @ K.transpose(-1, -2)
    A = A / A.new_tensor(Q.shape[-1]).sqrt()
    if mask is not None:
        A = A.masked_fill(torch.logical_not(mask), torch.finfo(A.dtype).min)
    return A.softmax(-1) @ V


def multihead_self_attention_with_rope(
    d_model: int, num_heads: int, max_seq_len: int, theta: float,
    wq: Tensor, wk: Tensor, wv: Tensor, wo: Tensor, x: Tensor, positions: Tensor | None = None,
) -> Tensor:
    if not d_model % num_heads == 0:
        raise ValueError(f"{d_model} % {num_heads} = {d_model % num_heads}")
    if positions is None:
        positions = torch.arange(x.shape[-2], device=x.device)
    q, k, v = (torch.stack(F.linear(x, w).split(d_model // num_heads, -1), dim=-3) for w in (wq, wk, wv))
    rotated = rope(d_model // num_heads, theta, max_seq_len, torch.stack((q, k)), positions[..., None, :])
    q, k = rotated
    return F.linear(torch.cat(scaled_dot_product_attention(q, k, v).unbind(-3), -1), wo)
