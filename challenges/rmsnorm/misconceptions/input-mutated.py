"""x is overwritten.

The arguments belong to the caller. A method that ends in an underscore, `/=`, or an assignment to a slice changes x for
everyone who still uses it. Create a new tensor.
"""


def normalise(x, eps):
    x /= root(mean_square(x), eps)
    return x
