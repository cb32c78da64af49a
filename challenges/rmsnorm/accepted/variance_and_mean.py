"""The mean of the squares is the variance and the square of the mean."""


def rmsnorm(x, weight, eps=1e-5):
    wide = x.double()
    mean_square = wide.var(-1, correction=0, keepdim=True) + wide.mean(-1, keepdim=True) ** 2
    return (wide / (mean_square + eps).sqrt() * weight).to(x.dtype)
