"""The standard deviation of the first values is {each}.

It is 1, whatever the sizes are: what comes after the embedding is normalised.
"""

EACH = {"0.02": 0.02, "0.1": 0.1, "2": 2.0}


def draw(weight):
    return nn.init.trunc_normal_(weight, 0.0, each, -3 * each, 3 * each)
