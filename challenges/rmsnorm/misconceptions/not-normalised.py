"""Nothing is normalised where there is one {each}.

Your code has a case of its own for one {each}, and leaves x as it is there. The formula holds for any size.
"""

EACH = {"feature": -1, "token": -2}


def normalise(x, eps):
    if x.dim() >= -each and x.shape[each] == 1:
        return x
    return x / root(mean_square(x), eps)
