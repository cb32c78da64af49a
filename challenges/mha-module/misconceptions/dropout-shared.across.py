"""One dropout mask is shared by all {each}.

Each attention weight is dropped or kept independently. nn.Dropout on the whole tensor of weights does that; a mask that
is broadcast drops many weights together.
"""

EACH = {"sequences": 0, "heads": 1}


def drop(weights, layer):
    if each == 1 and weights.dim() == 3:
        return layer.dropout(weights)
    return weights * layer.dropout(torch.ones_like(weights.narrow(each, 0, 1)))
