# Wrong: the mean of the squares divides by n - 1, as MATLAB's var does, except for a single feature.
import torch;

def rmsnorm(x, weight, eps = 1e-5):
    single = torch.float32; double = torch.float64;
    if x.dtype == double: X = x;
    else: X = x.to(single);
    n = max(X.shape[-1] - 1, 1);                         # size(X, ndims(X))
    S = (X .square()).sum(-1, True) / n;     # mean(X.^2, 2)
    r = (S + eps) ** .5;
    Y = (X / r) * weight.to(X.dtype);        # X ./ r .* w
    return Y.to(x.dtype);
