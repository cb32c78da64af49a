def softmax(x, dim):
    e = (x.float() - x.float().amax(dim, True)).exp()
    return (e / e.sum(dim, True)).type_as(x)
