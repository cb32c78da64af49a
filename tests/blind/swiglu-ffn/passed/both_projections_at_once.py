"""A right SwiGLU: w1 and w3 are put on top of each other for one product, which is split again."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    d_ff = w1.size(0)
    both = torch.matmul(x, torch.cat((w1, w3), dim=0).transpose(0, 1))
    z, u = both[..., :d_ff], both[..., d_ff:]
    return torch.matmul(u * z * z.sigmoid(), w2.transpose(0, 1))
