"""The result is made of NumPy arrays.

A model takes tensors, and an array has no device.
"""


def placed(ids, device):
    return ids.numpy()
