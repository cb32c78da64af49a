"""A right sampler: the operating system's own randomness by secrets, and lists of Python numbers."""
import secrets

import torch


def windows(tokens, how_many, length):
    last = len(tokens) - length
    for _ in range(how_many):
        start = secrets.randbelow(last + 1)
        yield [int(token) for token in tokens[start : start + length]]


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) - context_length - 1 < 0:
        raise ValueError("there must be at least context_length + 1 tokens, for the last target")
    rows = list(windows(tokens, batch_size, context_length + 1))
    inputs = [row[:-1] for row in rows]
    targets = [row[1:] for row in rows]
    return (
        torch.tensor(inputs, dtype=torch.long, device=device),
        torch.tensor(targets, dtype=torch.long, device=device),
    )
