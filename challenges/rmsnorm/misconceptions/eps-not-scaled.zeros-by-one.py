"""x is scaled before its root mean square is taken, but eps is not.

Dividing by the largest number first keeps the squares small, and it cancels out everywhere but in eps. Divide eps by
the square of that number.
"""


def normalise(x, eps):
    largest = x.detach().abs().amax(dim=-1, keepdim=True)
    scaled = x / torch.where(largest == 0, 1.0, largest)
    return scaled / root(mean_square(scaled), eps)
