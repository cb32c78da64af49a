"""The dtype that the caller asks for is ignored.

Pass `dtype` on to the tensor that becomes the weight: an embedding in bfloat16 takes half the memory.
"""


def made(num_embeddings, embedding_dim, device, dtype):
    return draw(torch.empty(shape(num_embeddings, embedding_dim), device=device))
