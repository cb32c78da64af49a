"""The weight is stored with the features first.

Its shape is (num_embeddings, embedding_dim): row t is the vector of token t. A checkpoint that was written by another
implementation would not fit yours.
"""


def shape(num_embeddings, embedding_dim):
    return embedding_dim, num_embeddings


def looked_up(weight, token_ids):
    return weight[:, token_ids].movedim(0, -1)
