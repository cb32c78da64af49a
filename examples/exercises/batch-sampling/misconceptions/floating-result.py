"""The result holds floating numbers.

Ids are whole numbers: an embedding refuses others. `torch.Tensor(...)` and `torch.zeros` make float32 unless told otherwise.
"""


def as_ids(values):
    return torch.from_numpy(values.astype(np.float32))
