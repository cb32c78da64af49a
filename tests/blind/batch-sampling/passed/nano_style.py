import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) < context_length + 1:
        raise ValueError(f"need {context_length + 1} tokens, got {len(tokens)}")

    def window(i):
        piece = tokens[i : i + context_length]
        if isinstance(piece, np.ndarray):
            piece = torch.from_numpy(piece.astype(np.int64))
        return piece.clone()

    ix = torch.randint(len(tokens) - context_length, (batch_size,)).tolist()
    x = torch.stack([window(i) for i in ix])
    y = torch.stack([window(i + 1) for i in ix])
    if torch.device(device).type == "cuda":
        return x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
    return x.to(device), y.to(device)
