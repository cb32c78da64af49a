"""Multi-head attention where the softmax is exp of the scores minus their log-sum-exp."""

import torch
from torch import Tensor


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads must be 0")
    d_k = d_model // num_heads

    def heads(x: Tensor, block: int) -> Tensor:
        w = in_proj_weight[block * d_model : (block + 1) * d_model]
        return torch.stack((x @ w.T).split(d_k, dim=-1), dim=1)  # (N, H, L, d_k)

    # the scale goes to the queries, that is cheaper than dividing all scores
    Q = heads(q, 0) * d_k**-0.5
    K, V = heads(k, 1), heads(v, 2)
    logits = Q @ K.transpose(-1, -2)
    if mask is not None:
        blocked = torch.logical_not(mask == 0).expand(q.shape[0], q.shape[1], k.shape[1])
        logits = logits.masked_fill(blocked[:, None], float("-inf"))
    p = (logits - logits.logsumexp(dim=-1, keepdim=True)).exp()
    return torch.cat((p @ V).unbind(1), dim=-1) @ out_proj_weight.T
