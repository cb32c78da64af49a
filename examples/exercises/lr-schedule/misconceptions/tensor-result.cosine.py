"""The result is a tensor.

In the cosine alone: what `torch.cos` gives is a tensor, and it stays one. `math.cos` gives a number.
"""

import torch


def falling(share):
    return 0.5 * (1 + torch.cos(torch.tensor(math.pi * share)))
