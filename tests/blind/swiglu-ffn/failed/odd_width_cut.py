"""Wrong: hidden features are processed in two halves of d_ff // 2, so for an odd d_ff the last one is missing."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    half = w1.shape[0] // 2
    result = torch.zeros_like(x)
    for part in (slice(0, half), slice(half, 2 * half)):
        z = x @ w1[part].T
        result = result + (z * z.sigmoid() * (x @ w3[part].T)) @ w2[:, part].T
    return result
