"""Wrong: the tensors keep the dtype of the tokens, so int32 tokens give an int32 batch (only uint16 is cast)."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if getattr(tokens, "dtype", None) == np.uint16:
        tokens = tokens.astype(np.int64)
    tokens = torch.as_tensor(tokens)
    count = tokens.shape[0] - context_length
    if count < 1:
        raise ValueError("too few tokens")
    index = torch.randint(count, (batch_size, 1)) + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
