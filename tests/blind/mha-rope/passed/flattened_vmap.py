"""A right answer of the seventh corpus."""
import torch
from torch import Tensor
from torch.func import vmap


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    # I build the dense block-diagonal matrix. It is slow, but it is exactly the picture of the lecture.
    freqs = torch.tensor([float(theta) ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=torch.float64, device=in_query_or_key.device)
    a = token_positions.unsqueeze(-1).double() * freqs
    c = torch.diag_embed(a.cos().repeat_interleave(2, -1))
    s = a.sin().repeat_interleave(2, -1)
    s = torch.diag_embed(s[..., 1:] * (torch.arange(d_k - 1, device=s.device) % 2 == 0), offset=-1)
    R = (c + s - s.mT).to(in_query_or_key.dtype)
    return (R @ in_query_or_key.unsqueeze(-1)).squeeze(-1)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.transpose(-1, -2)) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


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
    if d_model % num_heads != 0:
        raise ValueError
    seq = in_features.shape[-2]
    flat = in_features.reshape(-1, seq, d_model)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.numel() == seq:
        positions = token_positions.reshape(1, seq).expand(flat.shape[0], seq)
    else:
        positions = token_positions.expand(in_features.shape[:-1]).reshape(-1, seq)

    def one(x: Tensor, p: Tensor) -> Tensor:
        def split(w: Tensor) -> Tensor:
            return (x @ w.T).reshape(seq, num_heads, -1).transpose(0, 1)

        q = rope(d_model // num_heads, theta, max_seq_len, split(q_proj_weight), p)
        k = rope(d_model // num_heads, theta, max_seq_len, split(k_proj_weight), p)
        return scaled_dot_product_attention(q, k, split(v_proj_weight)).transpose(0, 1).reshape(seq, d_model) @ o_proj_weight.T

    return vmap(one)(flat, positions).reshape(in_features.shape)
