"""The wrapper joins its heads in reverse order.

The result of the first head comes first in the features. Append each result to the list; inserting at the front
reverses the order.
"""


def join(outputs):
    return torch.cat(outputs[::-1], dim=-1)
