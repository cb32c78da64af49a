"""eps is added before the sum is divided.

Your eps is added to the sum of the squares and divided by d_model along with it, so a wide vector gets a smaller eps
than a narrow one. Take the mean first, then add eps.
"""


def normalise(x, eps):
    return x / root(mean_square(x), eps / x.shape[-1])
