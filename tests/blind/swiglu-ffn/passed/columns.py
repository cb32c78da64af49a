import torch


def swiglu_ffn(x, w1, w2, w3):
    # the formula as it is printed: vectors are columns
    col = x.unsqueeze(-1)
    z = w1 @ col
    out = w2 @ (z * torch.special.expit(z) * (w3 @ col))
    return out.squeeze(-1)
