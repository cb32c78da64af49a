"""RMSNorm that averages the axis whose elements lie side by side.

Wrong: in a view that is not contiguous, an axis of stride 1 is taken for the last one.
Condition: views whose last axis was transposed or expanded; contiguous x is right.
Spec: "x need not be contiguous, and may be a transposed or expanded view"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    near = [i for i, (s, n) in enumerate(zip(x.stride(), x.shape)) if s == 1 and n > 1]
    axis = near[-1] if near and not x.is_contiguous() else -1
    h = x.to(acc)
    ms = torch.linalg.vector_norm(h, dim=axis, keepdim=True) ** 2 / h.shape[axis]
    return (h / torch.sqrt(ms + eps) * weight.to(acc)).to(x.dtype)
