"""The first values are all {each}.

Then all tokens are alike, and the model cannot tell them apart. Draw them at random.
"""

EACH = {"0": 0.0, "1": 1.0}


def draw(weight):
    return nn.init.constant_(weight, each)
