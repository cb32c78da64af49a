"""The root is taken twice.

Your code takes the root of the mean square, and then the root of that: `rsqrt` is a root already. Large vectors are
divided by too little, and small ones by too much. Divide by the root mean square itself.
"""


def normalise(x, eps):
    return x / torch.sqrt(root(mean_square(x), eps))
