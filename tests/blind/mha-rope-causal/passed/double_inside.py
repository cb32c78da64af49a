"""A right answer of the seventh corpus."""
import torch
from torch import Tensor

DTYPE = torch.float64


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    _check(d_k % 2 == 0, "d_k must be even")
    _check(in_query_or_key.shape[-1] == d_k, "wrong width")
    x = in_query_or_key.to(DTYPE)
    rates = torch.logspace(0, -1, d_k // 2 + 1, base=float(theta), dtype=DTYPE, device=x.device)[: d_k // 2]
    phase = token_positions.to(DTYPE)[..., None] * rates
    real, imag = x[..., 0::2], x[..., 1::2]
    result = torch.empty(torch.broadcast_shapes(x.shape, (*phase.shape[:-1], d_k)), dtype=DTYPE, device=x.device)
    result[..., 0::2] = real * phase.cos() - imag * phase.sin()
    result[..., 1::2] = real * phase.sin() + imag * phase.cos()
    return result.to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    out_dtype = V.dtype
    Q, K, V = (t.to(DTYPE) for t in (Q, K, V))
    scores = (Q / Q.size(-1) ** 0.5) @ K.mT
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -torch.inf)
    return (scores.softmax(dim=-1) @ V).to(out_dtype)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    _check(d_model % num_heads == 0, "num_heads must divide d_model")
    seq = in_features.shape[-2]
    d_head = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(seq, dtype=torch.int64, device=in_features.device)
    common = dict(d_k=d_head, theta=theta, max_seq_len=max_seq_len, token_positions=token_positions.unsqueeze(-2))

    def heads(w: Tensor) -> Tensor:
        y = torch.tensordot(in_features, w, dims=([in_features.ndim - 1], [1]))
        return y.reshape(*in_features.shape[:-1], num_heads, d_head).transpose(-3, -2)

    mask = torch.zeros(seq, seq, dtype=torch.bool, device=in_features.device)
    rows, cols = torch.tril_indices(seq, seq)
    mask[rows, cols] = True
    out = scaled_dot_product_attention(
        Q=rope(in_query_or_key=heads(q_proj_weight), **common),
        K=rope(in_query_or_key=heads(k_proj_weight), **common),
        V=heads(v_proj_weight),
        mask=mask,
    )
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
