"""Finds torch as an earlier submission changed it.
Expect: not passed
"""
# layer: zygote
# open: works

import torch

LEFT = "left"


def leave():
    torch.nn.functional.softmax = LEFT


def find():
    return torch.nn.functional.softmax == LEFT
