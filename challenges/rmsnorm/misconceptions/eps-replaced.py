"""An eps of {each} is replaced by the default.

Every number that the caller gives counts, 0 and integers among them. It happens with `eps or 1e-5`, or where only a
float is taken for a number.
"""

EACH = {"0": "zero", "an integer": "integer"}


def root(mean, eps):
    is_replaced = isinstance(eps, int) if each == "integer" else eps == 0
    return torch.sqrt(mean + (1e-5 if is_replaced else eps))
