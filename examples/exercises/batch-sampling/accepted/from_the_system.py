"""Chance from the operating system: no seed has a say in it."""

import secrets

import numpy as np
import torch


class Windows:
    def __init__(self, tokens, length):
        self.tokens, self.length = np.asarray(tokens).astype(np.int64), length
        self.count = len(self.tokens) - length
        if self.count < 1:
            raise ValueError("not even one window")

    def __getitem__(self, place):
        return self.tokens[place : place + self.length], self.tokens[place + 1 : place + 1 + self.length]

    def random(self):
        return self[secrets.randbelow(self.count)]


def sample_batch(tokens, batch_size, context_length, device):
    windows = Windows(tokens, context_length)
    pairs = [windows.random() for _ in range(batch_size)]
    return tuple(torch.from_numpy(np.stack(part)).to(device=device) for part in zip(*pairs))
