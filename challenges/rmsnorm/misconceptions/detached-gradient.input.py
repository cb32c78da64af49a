"""No gradient reaches x.

The values are right, but x is detached before anything is computed with it, so nothing before this norm can be trained.
Look for `detach()`, `.data`, `torch.tensor(...)` or a detour through NumPy.
"""


def widen(x):
    return x.detach().to(torch.promote_types(x.dtype, torch.float32))
