"""There is no norm before the head.

In a pre-norm stack nothing has normed the sum of all branches: final_norm.weight is for that.
"""


def final_norm(x, weights, eps):
    return x
