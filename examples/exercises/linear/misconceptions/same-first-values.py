"""The first values are all {each}.

Then all outputs are alike, and so are their gradients: they stay alike for ever. Draw them at random.
"""

EACH = {"0": 0.0, "1": 1.0}


def draw(weight, std):
    return nn.init.constant_(weight, each)
