"""Batches that are cut out of a long text."""

import numpy as np
import torch


class Cutter:
    """Knows where windows can begin, and cuts them out."""

    def __init__(self, tokens, length):
        self.tokens = np.asarray(tokens)
        self.length = length
        self.places = self.tokens.shape[0] - length
        if self.places < 1:
            raise ValueError("not a single window fits into these tokens")

    def draw(self, rows):
        """Where the rows begin."""
        return np.random.randint(0, self.places, size=rows)

    def cut(self, starts):
        """A row for each start, of the dtype that models want."""
        steps = np.arange(self.length)
        index = starts[:, None] + steps[None, :]
        return torch.from_numpy(self.tokens[index].astype(np.int64))


def sample_batch(tokens, batch_size, context_length, device):
    """Inputs, and the token after each of them."""
    cutter = Cutter(tokens, context_length)
    starts = cutter.draw(batch_size)
    inputs = cutter.cut(starts)
    targets = cutter.cut(starts + 1)
    return inputs.to(device), targets.to(device)
