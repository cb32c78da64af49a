"""Everything is computed in float64 and cast back at the end."""

def rmsnorm(x, weight, eps=1e-5):
    # double is slow on a GPU, but nobody can complain about the accuracy
    xd, wd = x.double(), weight.double()
    inverse = (xd.square().mean(-1, keepdim=True) + eps).rsqrt()
    return (xd * inverse * wd).to(x.dtype)
