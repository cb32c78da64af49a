# Wrong: the boolean mask is added to the scores, so True means one more.
import math
import torch
from torch import einsum


def rotation(alpha):
    """(...) -> (..., 2, 2)

    >>> rotation(torch.tensor(0.0)).tolist()
    [[1.0, -0.0], [0.0, 1.0]]
    """
    c, s = torch.cos(alpha), torch.sin(alpha)
    return torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    frequency = torch.tensor([float(theta) ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=x.dtype, device=x.device)
    R = rotation(einsum("...s,i->...si", token_positions.to(x.dtype), frequency))
    pairs = x.reshape(x.shape[:-1] + (d_k // 2, 2))
    return (R @ pairs.unsqueeze(-1)).squeeze(-1).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        S = S + mask
    return einsum("...ij,...jd->...id", torch.softmax(S, -1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("d_model=%s num_heads=%s" % (d_model, num_heads))
    dh = d_model // num_heads
    split = lambda W: einsum("...si,hdi->...hsd", in_features, W.reshape(num_heads, dh, d_model))
    Q, K, V = split(q_proj_weight), split(k_proj_weight), split(v_proj_weight)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    p = token_positions.unsqueeze(-2)
    Q = rope(dh, theta, max_seq_len, Q, p)
    K = rope(dh, theta, max_seq_len, K, p)
    O = scaled_dot_product_attention(Q, K, V)
    return einsum("...hsd,ohd->...so", O, o_proj_weight.reshape(d_model, num_heads, dh))
