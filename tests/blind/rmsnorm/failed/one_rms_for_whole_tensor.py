"""RMSNorm with mean() over everything.

Wrong: a single root mean square is shared by all vectors.
When: there is more than one vector.
Spec: «One root mean square for each vector, not for each batch, and not for each feature.»
"""


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h / (h.pow(2).mean() + eps) ** 0.5 * weight).to(x.dtype)
