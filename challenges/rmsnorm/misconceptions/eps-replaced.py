"""An eps that is {each} is replaced by the default.

Every eps that the caller passes is valid, including 0 and integers. This happens with `eps or 1e-5`, or when only
floats are accepted as numbers.
"""

EACH = {"0": "zero", "an integer": "integer"}


def root(mean, eps):
    is_replaced = isinstance(eps, int) if each == "integer" else eps == 0
    return torch.sqrt(mean + (1e-5 if is_replaced else eps))
