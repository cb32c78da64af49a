"""Takes 600 MiB as tensors.
Expect: error
"""
# layer: rlimits

import torch


def forbidden():
    held = []
    while len(held) < 37:
        held.append(torch.ones(4 << 20))
    return True

