"""Batch sampling in named steps. Each is one decision that a student can get wrong."""

import numpy as np
import torch


def starts_in(tokens, context_length):
    """How many places a window can begin at: the token after it must exist as well."""
    return len(tokens) - context_length


def checked(count):
    """Refuses what has no window."""
    if count < 1:
        raise ValueError("there are too few tokens for a window and the token after it")


def drawn(count, batch_size):
    """One place for each row, each as likely as any other, with replacement."""
    return torch.randint(count, (batch_size,))


def window(starts, context_length):
    """The places of each row: (batch_size, context_length)."""
    return starts[:, None] + torch.arange(context_length)


def at(tokens, places):
    """The tokens of these places, in an array."""
    return np.asarray(tokens)[places.numpy()]


def as_ids(values):
    """Of the dtype that an embedding wants."""
    return torch.from_numpy(values.astype(np.int64))


def rows(tokens, starts, context_length):
    """(batch_size, context_length), a window for each start."""
    return as_ids(at(tokens, window(starts, context_length)))


def shifted(starts):
    """The targets are one token further on."""
    return starts + 1


def placed(ids, device):
    """Where the model is."""
    return ids.to(device)


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets, device)
