"""torch's own data sets: a window is an item, and the sampler draws with replacement."""

import numpy as np
import torch
from torch.utils.data import Dataset, RandomSampler, default_collate


class Text(Dataset):
    def __init__(self, tokens, length):
        self.tokens, self.length = tokens, length

    def __len__(self):
        return len(self.tokens) - self.length  # below 0, `len` raises ValueError

    def __getitem__(self, place):
        piece = np.asarray(self.tokens[place : place + self.length + 1]).astype(np.int64)
        return piece[:-1], piece[1:]


def sample_batch(tokens, batch_size, context_length, device):
    text = Text(tokens, context_length)
    if len(text) == 0:
        raise ValueError("the text is shorter than a window")
    sampler = RandomSampler(text, replacement=True, num_samples=batch_size)
    inputs, targets = default_collate([text[place] for place in sampler])
    return inputs.to(device), targets.to(device)
