"""The first values are uniform.

They have the right spread, but a normal distribution is asked for, and truncated.
"""


def draw(weight, std):
    return nn.init.uniform_(weight, -math.sqrt(3) * std, math.sqrt(3) * std)
