"""A right sampler: places from torch.randint, windows by indexing with a grid of places and offsets."""
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(tokens if torch.is_tensor(tokens) else tokens.astype("int64"))
    places = len(tokens) - context_length
    if places < 1:
        raise ValueError(f"{len(tokens)} tokens are too few for a window of {context_length}")
    starts = torch.randint(places, (batch_size, 1))
    grid = starts + torch.arange(context_length)
    return tokens[grid].to(device), tokens[grid + 1].to(device)
