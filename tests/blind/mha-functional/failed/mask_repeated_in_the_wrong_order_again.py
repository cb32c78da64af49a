"""Multi-head attention with bmm, the mask repeated to the size of the folded batch.

Idea: The mask is repeated as a whole where each sequence's mask should be repeated head after head.
Where: only when the masks of the sequences differ and there is more than one head
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads")
    n, lq, _ = q.shape
    lk, d = k.shape[1], d_model // num_heads
    wq, wk, wv = in_proj_weight.split(d_model)
    Q = (q @ wq.T).reshape(n, lq, num_heads, d).transpose(1, 2).reshape(-1, lq, d)
    K = (k @ wk.T).reshape(n, lk, num_heads, d).transpose(1, 2).reshape(-1, lk, d)
    V = (v @ wv.T).reshape(n, lk, num_heads, d).transpose(1, 2).reshape(-1, lk, d)
    s = torch.baddbmm(Q.new_zeros(1, 1, 1), Q, K.mT, alpha=d**-0.5)
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(n, lq, lk).repeat(num_heads, 1, 1), -torch.inf)
    y = torch.bmm(s.softmax(-1), V).reshape(n, num_heads, lq, d)
    return y.transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
