# Says: Your function returns a tuple, `return out, weights`, but the result has to be one tensor: return only `out`.
# Line: 36
# Names: tuple, out
# Kind: other
import math
import torch
from torch import Tensor


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
    """(N, L_q, d_model), (N, L_k, d_model) twice -> (N, L_q, d_model). mask is 1 or True where a query must not look."""
    if d_model % num_heads != 0:
        raise ValueError
    head = d_model // num_heads
    W = in_proj_weight.reshape(3, d_model, d_model)
    Q, K, V = (
        (x @ w.T).unflatten(-1, (num_heads, head)).transpose(1, 2) for x, w in zip((q, k, v), W)
    )
    logits = Q @ K.mT / math.sqrt(head)
    if mask is not None:
        hidden = mask.bool()
        hidden = hidden.unsqueeze(1) if hidden.dim() == 3 else hidden
        logits = logits.masked_fill(hidden, -math.inf)
    weights = logits.softmax(-1)
    out = (weights @ V).transpose(1, 2).flatten(-2) @ out_proj_weight.T
    return out, weights
