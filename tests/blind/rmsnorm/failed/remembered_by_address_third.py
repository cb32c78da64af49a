"""RMSNorm that keeps the scale of tensors seen before, when no gradient is asked for.

Wrong: the root mean square is remembered under the tensor's address and sizes.
Condition: without gradients, the same tensor comes again with other values in it.
Spec: "Nothing is remembered from one call to the next: the same tensors may come again with other values in them."
"""

import torch

_seen = {}


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    if torch.is_grad_enabled() and (x.requires_grad or weight.requires_grad):
        inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    else:
        key = (id(x), x.data_ptr(), x.shape, x.stride(), x.dtype, eps)
        if key not in _seen:
            # the tensor is kept too, so that its id is not given to another
            _seen[key] = (x, torch.rsqrt(h.square().mean(-1, keepdim=True) + eps))
        inv = _seen[key][1]
    return (h * inv * weight.to(h.dtype)).to(x.dtype)
