"""parameters() leaves out {each}.

Anything missing from the list is never updated. List the weights and biases of all four projections.
"""

EACH = {"q_proj": "q_proj", "k_proj": "k_proj", "v_proj": "v_proj"}


def list_parameters(module):
    layers = [getattr(module, name) for name in ("q_proj", "k_proj", "v_proj", "out_proj") if name != each]
    return [parameter for layer in layers for parameter in layer.parameters()]
