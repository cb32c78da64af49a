"""Wrong: the sum is detached, so the gradient is y * g without the term that couples the entries; values are right."""


def softmax(x, dim):
    e = (x - x.detach().amax(dim, keepdim=True)).exp()
    total = e.sum(dim, keepdim=True).detach()
    return e / total
