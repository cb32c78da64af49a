"""The tensors stay on the CPU.

The model is on `device`, and finds nothing there to work with. Move both.
"""


def placed(ids, device):
    return ids
