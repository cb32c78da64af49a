"""Wrong: the SiLU is taken of W3 x instead of W1 x."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    a = torch.einsum("...d,fd->...f", x, w1)
    b = torch.einsum("...d,fd->...f", x, w3)
    return torch.einsum("...f,df->...d", a * (b * torch.sigmoid(b)), w2)
