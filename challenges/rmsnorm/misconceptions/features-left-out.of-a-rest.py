"""Features after the last whole block are left out of the root mean square.

Your sum runs over blocks of {each} and leaves out the rest when d_model is not a multiple of {each}. All features
count.
"""

EACH = {"two": 2}


def mean_square(x):
    d_model = x.shape[-1]
    whole = d_model - d_model % each if d_model >= each else d_model
    return x[..., :whole].square().sum(dim=-1, keepdim=True) / d_model
