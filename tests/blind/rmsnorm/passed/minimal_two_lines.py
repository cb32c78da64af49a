"""Right: the minimalist, two lines."""
def rmsnorm(x, weight, eps=1e-5):
    h = x if x.dtype.itemsize > 2 else x.float()
    return (h * (h * h).mean(-1, True).add(eps) ** -0.5).to(x.dtype) * weight
