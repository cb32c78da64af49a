import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    count = len(tokens) - context_length
    if count <= 0:
        raise ValueError("needs at least context_length + 1 tokens")
    u = torch.rand(batch_size, dtype=torch.float64)
    starts = (u * count).floor().long().clamp_(max=count - 1).numpy()
    arr = tokens.cpu().numpy() if isinstance(tokens, torch.Tensor) else tokens
    at = starts[:, None] + np.arange(context_length)[None, :]
    inputs = torch.from_numpy(np.take(arr, at).astype(np.int64))
    targets = torch.from_numpy(np.take(arr, at + 1).astype(np.int64))
    return inputs.to(device), targets.to(device)
