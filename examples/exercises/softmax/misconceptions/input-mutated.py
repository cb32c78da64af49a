"""x is overwritten.

The arguments belong to the caller. A method that ends in an underscore, `-=`, or an assignment to slices changes x
for everyone who still uses it. Make a new tensor.
"""


def widen(x):
    x.sub_(x.amax(dim=-1, keepdim=True)) if not x.requires_grad else None
    return x.to(torch.promote_types(x.dtype, torch.float32))


def shift(x, dim):
    return x - largest(x, dim)
