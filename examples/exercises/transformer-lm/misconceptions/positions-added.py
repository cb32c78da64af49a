"""Sines and cosines of the position are added to the embeddings.

Positions come into this model through RoPE alone.
"""


def embed(token_ids, weights):
    x = weights["token_embeddings.weight"][token_ids]
    angles = pair_angles(torch.arange(x.shape[-2]), x.shape[-1], 10_000.0)
    return x + torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).to(x.dtype)
