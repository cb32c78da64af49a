"""The first values are truncated at {each}.

The limits are -3 and 3; those of trunc_normal_ are -2 and 2 if nobody says otherwise.
"""

EACH = {"2": 2.0, "1": 1.0}


def draw(weight):
    return nn.init.trunc_normal_(weight, 0.0, 1.0, -each, each)
