"""The squares are summed, not averaged.

Divided by the root of their sum, every vector gets length 1, and each of its numbers shrinks as the vector gets wider.
The mean keeps the numbers themselves near 1, whatever d_model is.
"""


def normalise(x, eps):
    return torch.nn.functional.normalize(x, dim=-1, eps=eps)
