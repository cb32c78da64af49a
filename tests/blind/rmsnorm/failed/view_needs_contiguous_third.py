"""RMSNorm over rows made with view.

Wrong: view(-1, d_model) raises a RuntimeError where the leading axes cannot be merged without a copy.
Condition: transposed or expanded x with two or more leading axes that do not merge.
Spec: "x need not be contiguous, and may be a transposed or expanded view"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    rows = x.view(-1, x.shape[-1]).to(acc)
    inv = torch.rsqrt(torch.einsum("nd,nd->n", rows, rows) / rows.shape[1] + eps)
    return (rows * inv[:, None] * weight.to(acc)).to(x.dtype).view(x.shape)
