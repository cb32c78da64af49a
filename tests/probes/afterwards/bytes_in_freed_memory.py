"""Finds bytes of an earlier submission in memory that was given back.
Expect: not passed
"""
# layer: zygote

import torch

SIZE = 4096  # small enough to come from the heap, where freed memory is used again as it is


def leave():
    blocks = [torch.full((SIZE,), 0x5AFE5AFE, dtype=torch.int32) for _ in range(256)]
    blocks.clear()


def find():
    blocks = [torch.empty(SIZE, dtype=torch.int32) for _ in range(512)]
    return any(int((block == 0x5AFE5AFE).sum()) > SIZE // 2 for block in blocks)
