"""Every window as a view, of which rows are chosen."""

import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    ids = tokens if isinstance(tokens, torch.Tensor) else torch.from_numpy(tokens.astype(np.int64))
    if ids.numel() < context_length + 1:
        raise ValueError
    windows = ids.unfold(0, context_length + 1, 1)
    chosen = windows[torch.randint(windows.shape[0], [batch_size])].to(device)
    return chosen[:, :context_length].contiguous(), chosen[:, 1:].contiguous()
