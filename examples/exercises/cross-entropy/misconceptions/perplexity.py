"""The perplexity is returned.

That is the exponential of the loss, a number that people report. Training needs the loss itself.
"""


def average(of_positions):
    return torch.exp(of_positions.mean())
