"""Wrong: results without gradients are remembered by the tensor's address, shape and dim, so a tensor with new values gets the old shares."""
_known = {}


def softmax(x, dim):
    key = (x.data_ptr(), x.dtype, tuple(x.shape), x.stride(), dim)
    if not x.requires_grad and key in _known:
        return _known[key][1].clone()
    e = (x - x.amax(dim, keepdim=True)).exp()
    y = e / e.sum(dim, keepdim=True)
    if not x.requires_grad:
        _known[key] = (x, y)
    return y
