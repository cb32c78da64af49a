"""Finds the random numbers that an earlier submission seeded.
Expect: not passed
"""
# layer: zygote
# open: works

import torch


def leave():
    torch.manual_seed(424242)


def find():
    return torch.initial_seed() == 424242
