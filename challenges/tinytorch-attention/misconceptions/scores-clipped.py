"""The scores are clipped.

All scores beyond a limit of {each} or more become equal. The softmax copes with large scores: it subtracts the row's
maximum first.
"""

import numpy as np

EACH = {"ten": 10.0, "twenty": 20.0}


def weigh(scores):
    lower = scores + Tensor(np.clip(scores.data, None, each) - scores.data)
    return Softmax()(lower + Tensor(np.maximum(-each - lower.data, 0.0) * (lower.data > -1e8)), dim=-1)
