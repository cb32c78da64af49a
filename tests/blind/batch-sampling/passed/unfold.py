import numpy as np
import torch


def _as_int64(tokens):
    if torch.is_tensor(tokens):
        return tokens.long()
    return torch.from_numpy(tokens.astype(np.int64))


def sample_batch(tokens, batch_size, context_length, device):
    total = len(tokens)
    assert batch_size > 0 and context_length > 0
    if total <= context_length:
        raise ValueError("too few tokens")
    chunks = _as_int64(tokens).unfold(0, context_length + 1, 1)
    picks = torch.multinomial(torch.ones(len(chunks)), batch_size, replacement=True)
    picked = chunks[picks].to(device)
    return picked[:, :-1], picked[:, 1:]
