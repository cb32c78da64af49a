"""The dtype that the caller asks for is ignored.

Pass `dtype` on to the tensor that becomes the weight: a layer in bfloat16 takes half the memory.
"""


def made(in_features, out_features, device, dtype):
    empty = torch.empty(shape(in_features, out_features), device=device)
    return draw(empty, spread(in_features, out_features))
