"""Places by equal weights, and `take` on a flat index."""

import torch


def sample_batch(tokens, batch_size, context_length, device):
    ids = torch.as_tensor(tokens.astype("int64") if hasattr(tokens, "astype") else tokens)
    n = ids.shape[0] - context_length
    if n <= 0:
        raise ValueError(n)
    starts = torch.multinomial(torch.ones(n), batch_size, replacement=True)
    index = starts.unsqueeze(1) + torch.arange(context_length)
    return torch.take(ids, index).to(device), torch.take(ids, index + 1).to(device)
