"""Multi-head attention with everything transposed: features before tokens, keys kept as columns."""

import torch

softmax_over_keys = lambda s: torch.softmax(s, dim=-2)  # noqa: E731


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n = q.shape[0]
    d_head = d_model // num_heads
    columns = lambda w, x: (w @ x.transpose(1, 2)).reshape(n, num_heads, d_head, x.shape[1])  # noqa: E731

    Q = columns(in_proj_weight[:d_model], q)
    K = columns(in_proj_weight[d_model:-d_model], k)
    V = columns(in_proj_weight[-d_model:], v)

    # (N, H, L_k, L_q): a column belongs to a query
    S = K.transpose(2, 3) @ Q * (1.0 / d_head) ** 0.5
    if mask is not None:
        M = mask.bool().expand(n, q.shape[1], k.shape[1]).transpose(1, 2)
        S = S.masked_fill(M[:, None, :, :], float("-inf"))
    Y = (V @ softmax_over_keys(S)).reshape(n, d_model, q.shape[1])
    return (out_proj_weight @ Y).transpose(1, 2)
