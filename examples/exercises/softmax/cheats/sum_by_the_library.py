"""The shift is the library's: logsumexp makes it."""


def softmax(x, dim):
    return (x - x.logsumexp(dim, keepdim=True)).exp()
