"""Every step has a comment, an assert and a print."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    # first of all, check that the shapes make sense
    print("x has shape", x.shape)
    assert weight.shape[0] == x.shape[-1], "weight must have one number per feature!"
    original_type = x.dtype  # remember this for later
    # float16 would overflow so make it bigger
    x_big = x.to(torch.float32)
    # step 1: square everything
    squares = x_big * x_big
    # step 2: the mean (NOT the sum) over the last axis
    how_many = x.shape[-1]
    total = torch.sum(squares, -1)
    mean_of_squares = total / how_many
    # step 3: add eps and take the root
    rms = torch.sqrt(mean_of_squares + eps)
    print("rms has shape", rms.shape)
    # step 4: give it the axis back so that broadcasting works
    rms = torch.unsqueeze(rms, -1)
    # step 5: divide and multiply
    y = x_big / rms
    y = y * weight
    assert y.shape == x.shape
    return y.to(original_type)
