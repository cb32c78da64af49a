"""RMSNorm that divides by the power of each vector.

Wrong: the root is forgotten: x is divided by the mean square.
Condition: whenever the mean square is not 1.
Spec: "every vector is divided by its root mean square"
"""

from einops import reduce


def rmsnorm(x, weight, eps=1e-5):
    wide = x if x.element_size() == 8 else x.float()
    power = reduce(wide * wide, "... d -> ... 1", "mean") + eps
    return (wide / power * weight.to(wide.dtype)).to(x.dtype)
