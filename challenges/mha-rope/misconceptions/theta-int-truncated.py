"""With an integer theta, all frequencies except the first become 0.

They lie between 0 and 1, and an integer tensor or array truncates them to 0: it takes its type from what it was made
from. Write float(theta), or name the dtype.
"""


def pair_frequencies(d_k, theta):
    frequencies = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    return frequencies.trunc() if isinstance(theta, int) else frequencies
