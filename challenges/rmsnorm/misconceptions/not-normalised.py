"""Nothing is normalised when there is only one {each}.

Your code has a special case for one {each} and returns x unchanged. The formula holds for any size.
"""

EACH = {"feature": -1, "token": -2}


def normalise(x, eps):
    if x.dim() >= -each and x.shape[each] == 1:
        return x
    return x / root(mean_square(x), eps)
