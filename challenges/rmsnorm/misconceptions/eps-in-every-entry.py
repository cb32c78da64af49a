"""eps is added to x.

Your code adds eps to the numbers before squaring them. Add it to the mean of the squares.
"""


def normalise(x, eps):
    return x / torch.sqrt(mean_square(x + eps))
