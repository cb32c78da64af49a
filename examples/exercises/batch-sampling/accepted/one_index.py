"""A matrix of places, made by broadcasting, and both tensors from one gather."""

import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) <= context_length:
        raise ValueError(f"{len(tokens)} tokens are too few for {context_length} and a target")
    places = np.random.randint(0, len(tokens) - context_length, size=(batch_size, 1)) + np.arange(context_length + 1)
    ids = torch.as_tensor(np.asarray(tokens)[places].astype("int64"), device=device)
    return ids[:, :-1], ids[:, 1:]
