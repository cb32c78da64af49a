"""Looks for tensors that were in memory before it: cases of the paper, answers.
Expect: not passed
"""
# layer: zygote, judge

import torch


def forbidden():
    return any(type(thing) is torch.Tensor and thing.numel() > 16 and thing.dim() > 1 for thing in everything())
