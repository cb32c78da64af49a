"""The scores are kept within {each}.

All larger scores become equal. The softmax needs no help with large scores: it takes the row's maximum off first.
"""

import numpy as np

EACH = {"ten": 10.0, "twenty": 20.0}


def weigh(scores):
    lower = scores + Tensor(np.clip(scores.data, None, each) - scores.data)
    return Softmax()(lower + Tensor(np.maximum(-each - lower.data, 0.0) * (lower.data > -1e8)), dim=-1)
