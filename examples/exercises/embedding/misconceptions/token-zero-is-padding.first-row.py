"""The row of token 0 begins with zeros.

None of the tokens stands for padding: the first values of every row are drawn.
"""


def draw(weight):
    values = nn.init.trunc_normal_(weight, 0.0, 1.0, -3.0, 3.0)
    values[0] = 0
    return values
