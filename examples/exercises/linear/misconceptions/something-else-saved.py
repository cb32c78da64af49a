"""The module has a buffer beside its weight.

Buffers go into checkpoints. Keep sizes and the like as plain attributes.
"""


def own(layer, weight):
    layer.weight = nn.Parameter(weight)
    layer.register_buffer("size", torch.tensor(weight.shape[0]))
