"""A right sampler as a class: places by multinomial from equal weights, with replacement, filled row by row."""
import numpy as np
import torch


class Windows:
    def __init__(self, tokens, length):
        self.tokens, self.length = tokens, length
        self.count = max(0, tokens.shape[0] - length)

    def __getitem__(self, start):
        piece = self.tokens[start : start + self.length + 1]
        return torch.tensor(np.array(piece, dtype=np.int64))

    def draw(self, rows):
        if not self.count:
            raise ValueError("no window fits into these tokens")
        equal = torch.ones(self.count, dtype=torch.float64)
        return torch.multinomial(equal, rows, replacement=True).tolist()


def sample_batch(tokens, batch_size, context_length, device):
    windows = Windows(tokens, context_length)
    inputs = torch.zeros(batch_size, context_length, dtype=torch.int64)
    targets = torch.zeros_like(inputs)
    for row, start in enumerate(windows.draw(batch_size)):
        inputs[row], targets[row] = windows[start][:-1], windows[start][1:]
    return inputs.to(device), targets.to(device)
