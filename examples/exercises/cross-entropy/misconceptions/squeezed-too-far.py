"""All axes of length 1 are removed.

squeeze() without an axis also removes leading axes of length 1, and what is left lines up with other positions.
Remove the last axis only: squeeze(-1).
"""


def chosen(shifted, targets):
    return shifted.gather(-1, targets.unsqueeze(-1)).squeeze()
