"""The first values are truncated at {each}.

The limits are three standard deviations below and above zero.
"""

EACH = {"two standard deviations": 2.0, "one standard deviation": 1.0}


def draw(weight, std):
    return nn.init.trunc_normal_(weight, 0.0, std, -each * std, each * std)
