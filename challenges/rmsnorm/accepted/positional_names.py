"""Other names for the parameters, and a loop over the rows."""

import torch


def rmsnorm(hidden_states, gain, epsilon=1e-5):
    rows = [
        row / torch.sqrt(torch.dot(row, row) / len(row) + epsilon)
        for row in hidden_states.reshape(-1, hidden_states.shape[-1]).float()
    ]
    return (torch.stack(rows).reshape(hidden_states.shape) * gain).to(hidden_states.dtype)
