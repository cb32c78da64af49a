"""A generator with a fixed seed is made in every call, so every call draws the same places."""
import numpy as np
import torch

DTYPE = torch.int64


class Sampler:
    def __init__(self, tokens, context_length):
        self.tokens, self.n = tokens, context_length
        self.last = len(tokens) - context_length - 1
        if self.last < 0:
            raise ValueError("no window fits")
        self.rng = np.random.default_rng(1234)

    def row(self):
        s = int(self.rng.integers(0, self.last, endpoint=True))
        piece = self.tokens[s : s + self.n + 1]
        return torch.tensor([int(t) for t in piece], dtype=DTYPE)

    def batch(self, size):
        rows = torch.stack([self.row() for _ in range(size)])
        return rows[:, :-1], rows[:, 1:]


def sample_batch(tokens, batch_size, context_length, device):
    x, y = Sampler(tokens, context_length).batch(batch_size)
    return x.to(torch.device(device)), y.to(torch.device(device))


if __name__ == "__main__":
    print(sample_batch(np.array([5, 8, 2, 9]), 2, 3, "cpu"))
