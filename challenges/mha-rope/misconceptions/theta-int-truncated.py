"""With a theta that is a whole number, all frequencies but the first become 0.

They are between 0 and 1, and a tensor or array of whole numbers keeps nothing of them: it has the type of what it was made of.
Write float(theta), or name the dtype.
"""


def pair_frequencies(d_k, theta):
    frequencies = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    return frequencies.trunc() if isinstance(theta, int) else frequencies
