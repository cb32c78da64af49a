"""x is overwritten.

The arguments belong to the caller. A method that ends in an underscore, or an assignment to slices, changes x for
everyone who still uses it.
"""


def applied(x, weight):
    y = x @ weight.T
    with torch.no_grad():
        x.zero_()
    return y
