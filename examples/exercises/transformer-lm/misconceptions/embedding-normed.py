"""The embeddings are normed before the first block.

They go onto the residual path as they are: each block norms on the way into its branches.
"""


def embed(token_ids, weights):
    return rms_norm(weights["token_embeddings.weight"][token_ids], 1.0, 1e-5)
