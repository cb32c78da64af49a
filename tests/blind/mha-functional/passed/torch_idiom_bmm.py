"""A right answer of the seventh corpus."""
import torch
from torch import Tensor
from torch.nn.functional import linear, softmax


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    E = q.size(-1)
    w_q, w_k, w_v = w.split([E, E, E])
    return linear(q, w_q), linear(k, w_k), linear(v, w_v)


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    head_dim, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"embed_dim {d_model} not divisible by num_heads {num_heads}")
    bsz, tgt_len, src_len = q.size(0), q.size(1), k.size(1)

    # time first, as nn.MultiheadAttention does it
    q, k, v = (t.transpose(0, 1) for t in (q, k, v))
    q, k, v = _in_projection_packed(q, k, v, in_proj_weight)
    q = q.reshape(tgt_len, bsz * num_heads, head_dim).transpose(0, 1)
    k = k.reshape(src_len, bsz * num_heads, head_dim).transpose(0, 1)
    v = v.reshape(src_len, bsz * num_heads, head_dim).transpose(0, 1)

    q = q * head_dim**-0.5
    if mask is None:
        weights = torch.bmm(q, k.transpose(1, 2))
    else:
        bias = torch.zeros(bsz, num_heads, tgt_len, src_len, dtype=q.dtype, device=q.device)
        hidden = mask.to(torch.bool).broadcast_to(bsz, tgt_len, src_len)
        bias.masked_fill_(hidden[:, None], float("-inf"))
        weights = torch.baddbmm(bias.flatten(0, 1), q, k.transpose(1, 2))
    weights = softmax(weights, dim=-1)
    out = torch.bmm(weights, v).transpose(0, 1).reshape(tgt_len, bsz, d_model)
    return linear(out, out_proj_weight).transpose(0, 1)
