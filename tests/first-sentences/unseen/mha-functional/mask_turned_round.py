# Says: Here True in `mask` means that the key must not be seen, so `masked_fill(mask == 0, ...)` hides exactly the wrong keys: fill where `mask != 0`.
# Line: 27
# Names: mask == 0, masked_fill
# Kind: wrong idea
import math
import torch
import torch.nn.functional as F
from torch import Tensor


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
    *, in_proj_weight: Tensor, out_proj_weight: Tensor,
) -> Tensor:
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = F.linear(q, w_q).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = F.linear(k, w_k).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = F.linear(v, w_v).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask == 0, float("-inf"))
    out = torch.softmax(scores, dim=-1) @ V
    return F.linear(out.transpose(1, 2).reshape(N, L_q, d_model), out_proj_weight)
