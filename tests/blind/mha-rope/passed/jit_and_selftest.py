"""A right answer of the seventh corpus."""
import torch
from torch import Tensor

__all__ = ["rope", "scaled_dot_product_attention", "multihead_self_attention_with_rope"]


@torch.jit.script
def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    x0 = x[..., 0::2]
    x1 = x[..., 1::2]
    y0 = x0 * cos - x1 * sin
    y1 = x1 * cos + x0 * sin
    return torch.stack([y0, y1], dim=-1).flatten(-2)


def _angles(d_k, theta, positions):
    inv_freq = torch.reciprocal(float(theta) ** (torch.arange(0, d_k, 2, device=positions.device, dtype=torch.double) / d_k))
    return torch.einsum("...s,f->...sf", positions.double(), inv_freq)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    a = _angles(d_k, theta, token_positions)
    return _rotate(in_query_or_key, a.cos().to(in_query_or_key), a.sin().to(in_query_or_key))


def scaled_dot_product_attention(Q, K, V, mask=None):
    QK = torch.einsum("...nd,...md->...nm", Q, K)
    QK *= Q.shape[-1] ** -0.5
    if mask is not None:
        QK.masked_fill_(~mask, -float("inf"))
    return torch.einsum("...nm,...md->...nd", QK.softmax(-1), V)


def multihead_self_attention_with_rope(*args, **kwargs):
    return _mha(*args, **kwargs)


def _mha(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    lead = in_features.shape[:-1]
    split = (*lead, num_heads, d_model // num_heads)
    q, k, v = (
        torch.nn.functional.linear(in_features, w).view(split).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        token_positions = torch.arange(lead[-1], device=in_features.device)
    token_positions = torch.unsqueeze(token_positions, -2)
    q, k = (rope(split[-1], theta, max_seq_len, t, token_positions) for t in (q, k))
    out = scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*lead, d_model)
    return torch.nn.functional.linear(out, o_proj_weight)


if __name__ == "__main__":
    x = torch.randn(2, 5, 8)
    y = rope(8, 100.0, 10, x, torch.tensor([0, 3, 1, 9, 9]))
    assert torch.allclose(x.norm(dim=-1), y.norm(dim=-1), atol=1e-5)
    print("ok")
