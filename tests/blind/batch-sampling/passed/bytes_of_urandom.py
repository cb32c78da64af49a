"""A right sampler: 64 random bits per row from os.urandom, rejected where they would favour early places; numpy.take fetches the tokens."""
import os
from itertools import islice

import numpy as np
import torch


def fair(count):
    limit = 2**64 - 2**64 % count
    while True:
        number = int.from_bytes(os.urandom(8), "little")
        if number < limit:
            yield number % count


def sample_batch(tokens, batch_size, context_length, device):
    tokens = np.asarray(tokens)
    if (count := tokens.shape[0] - context_length) < 1:
        raise ValueError("Give me at least one token more than context_length.")
    starts = np.fromiter(islice(fair(count), batch_size), dtype=np.int64, count=batch_size)
    index = np.add.outer(starts, np.arange(context_length))
    x, y = (torch.from_numpy(np.take(tokens, index + shift).astype(np.int64)) for shift in (0, 1))
    return x.to(torch.device(device)), y.to(torch.device(device))
