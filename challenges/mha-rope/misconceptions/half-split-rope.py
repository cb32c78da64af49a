"""Features are paired across the two halves, not with their neighbours.

You rotate feature i together with feature i + d/2, as GPT-NeoX and Hugging Face's LLaMA do. This exercise pairs
neighbours, (2i, 2i+1), as the paper does. With fixed weights the two are different functions.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)
