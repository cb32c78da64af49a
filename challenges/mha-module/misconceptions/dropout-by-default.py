"""A dropout of 0 becomes {each}.

`dropout or {each}` takes 0 for "not given", for zero counts as false. 0 is a rate like others: nothing is dropped.
"""

EACH = {"0.1": 0.1, "0.2": 0.2, "0.5": 0.5}


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p or each, layer.training)
