"""Large ids become negative.

int16 ends at 32,767, and uint16 goes up to 65,535. Go to int64 without a stop at a smaller dtype.
"""


def as_ids(values):
    return torch.from_numpy(values.astype(np.int16 if values.itemsize == 2 else np.int64)).long()
