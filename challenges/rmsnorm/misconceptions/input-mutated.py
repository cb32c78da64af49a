"""x is overwritten.

What you are given belongs to the caller. A method that ends in an underscore, `/=`, or an assignment to slices changes it
for everyone who still holds it. Make a new tensor.
"""


def normalise(x, eps):
    x /= root(mean_square(x), eps)
    return x
