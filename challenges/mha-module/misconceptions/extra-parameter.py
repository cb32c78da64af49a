"""There are trainable weights besides those of the layers.

The layers hold everything that is trained: no temperature, no factors for the heads, no position vectors. Every
nn.Parameter is counted, saved and changed by the optimizer.
"""

EACH = {"one number": 1, "one for each head": 0}


def keep_mask(layer, context_length):
    layer.register_buffer("mask", later_tokens(context_length))
    layer.temperature = nn.Parameter(torch.ones(each or getattr(layer, "num_heads", 1)))


def scale(scores, layer):
    factor = layer.temperature.view(-1, 1, 1) if scores.dim() == 4 else layer.temperature
    return scores / (math.sqrt(layer.head_dim) * factor)
