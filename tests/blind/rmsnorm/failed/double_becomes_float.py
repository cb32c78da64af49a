"""RMSNorm that gives float32 for float64.

Idea: Everything that is not half precision is given back as float32, float64 too.
Where: only for float64
"""

def rmsnorm(x, weight, eps=1e-5):
    half = x.element_size() == 2
    h = x.float()
    out = h / (h.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight.float()
    return out.to(x.dtype) if half else out
