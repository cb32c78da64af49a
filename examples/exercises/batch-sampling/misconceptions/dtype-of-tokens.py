"""The ids keep the dtype of the tokens.

uint16 is for files. An embedding and a loss want int64.
"""


def as_ids(values):
    return torch.from_numpy(values)
