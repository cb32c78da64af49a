"""An argument is overwritten.

The arguments belong to the caller. Assigning to a slice of one, or calling a method that ends in an underscore, changes
it for everyone. Build a new tensor instead.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = even * cos - odd * sin
    x[..., 1::2] = even * sin + odd * cos
    return x
