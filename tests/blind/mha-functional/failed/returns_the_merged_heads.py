"""Multi-head attention with stack and cat of chunks, which returns the heads side by side.

Idea: The merged heads are returned without the output projection.
Where: everywhere
Id: missing-output-projection
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError
    assert out_proj_weight.shape == (d_model, d_model)
    width = d_model // num_heads
    wq, wk, wv = torch.split(in_proj_weight, d_model, dim=0)
    Q = torch.stack((q @ wq.T).split(width, -1), 1)
    K = torch.stack((k @ wk.T).split(width, -1), 1)
    V = torch.stack((v @ wv.T).split(width, -1), 1)
    logits = Q @ K.mT * width**-0.5
    if mask is not None:
        logits = torch.where(mask.bool().expand(len(q), q.shape[1], k.shape[1])[:, None], -torch.inf, logits)
    return torch.cat((logits.softmax(-1) @ V).unbind(1), -1)
