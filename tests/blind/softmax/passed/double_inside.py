import math
import torch

LOG2E = math.log2(math.e)


def softmax(x, dim, *, temperature: float = 1.0):
    assert -x.ndim <= dim < x.ndim, "no such axis"
    assert temperature > 0
    z = x.double() / temperature
    z = z - z.detach().amax(dim=dim, keepdim=True)
    p = torch.exp2(z * LOG2E)
    p = p * p.sum(dim=dim, keepdim=True).reciprocal()
    return p.to(dtype=x.dtype)
