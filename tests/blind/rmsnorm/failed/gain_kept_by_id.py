# Wrong: the float copy of the weight is kept from call to call by its id, although the numbers in it may have changed.
import torch;

W = {};

def rmsnorm(x, weight, eps = 1e-5):
    single = torch.float32; double = torch.float64;
    if x.dtype == double: X = x;
    else: X = x.to(single);
    n = X.shape[-1];                         # size(X, ndims(X))
    S = (X .square()).sum(-1, True) / n;     # mean(X.^2, 2)
    r = (S + eps) ** .5;
    key = (id(weight), X.dtype, weight.shape, weight.requires_grad);
    if key not in W: W[key] = weight.to(X.dtype) * 1;
    Y = (X / r) * W[key];        # X ./ r .* w
    return Y.to(x.dtype);
