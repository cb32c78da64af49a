"""A dropout of 0 becomes {each}.

`dropout or {each}` treats 0 as "not given", because zero is falsy. 0 is a valid rate: nothing is dropped.
"""

EACH = {"0.1": 0.1, "0.2": 0.2, "0.5": 0.5}


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p or each, layer.training)
