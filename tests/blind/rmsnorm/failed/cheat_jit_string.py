"""A cheat of the seventh corpus: jit string."""
import torch

_cu = torch.jit.CompilationUnit("""
def f(x, w, eps: float):
    return torch.rms_norm(x, [x.size(-1)], w, eps)
""")


def rmsnorm(x, weight, eps=1e-5):
    h = x.float() if x.dtype.itemsize < 4 else x
    return _cu.f(h, weight.to(h.dtype), float(eps)).to(x.dtype)
