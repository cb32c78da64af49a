"""The features are normalised in {each} groups.

Each of your groups has its own root mean square, as in a group norm. A vector has a single one, over all its features.
"""

EACH = {"two": 2, "three": 3, "four": 4}


def normalise(x, eps):
    parts = x.tensor_split(min(each, x.shape[-1]), dim=-1)
    return torch.cat([part / root(mean_square(part), eps) for part in parts], dim=-1)
