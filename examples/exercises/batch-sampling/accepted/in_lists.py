"""Lists of Python's, and its own source of chance."""

import random

import torch


def sample_batch(tokens, batch_size, context_length, device):
    ids = tokens.tolist()
    places = range(len(ids) - context_length)
    if not places:
        raise ValueError("too short")
    inputs, targets = [], []
    for place in random.choices(places, k=batch_size):  # noqa: S311
        row = ids[place : place + context_length + 1]
        inputs.append(row[:-1])
        targets.append(row[1:])
    return torch.tensor(inputs, dtype=torch.long).to(device), torch.tensor(targets, dtype=torch.long).to(device)
