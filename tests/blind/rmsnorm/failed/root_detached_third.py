"""RMSNorm with the scale computed under no_grad.

Wrong: the root mean square is taken as a constant: the gradient of x lacks its term.
Condition: gradients of x; the values and the gradient of weight are right.
Spec: "Gradients reach x and weight" / "Values and gradients against a float64 reference"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc)
    with torch.no_grad():
        scale = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * scale * weight.to(acc)).to(x.dtype)
