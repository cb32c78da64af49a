"""How the class is called: a layer is made, a weight is put into it, and what was asked for is looked at. Nothing
secret.
"""

import torch
from torch import nn
from torch.func import functional_call

# `call_with` is here without an import: docs/challenges.md.


def Embedding(student, *, num_embeddings, embedding_dim, token_ids=None, weight=None, measure="output", dtype=""):  # noqa: N802
    """`measure` says what comes back: see MEASURES. `dtype` is the name of the one that the layer is made in."""
    sizes = {"num_embeddings": num_embeddings, "embedding_dim": embedding_dim}
    named = {"dtype": getattr(torch, dtype)} if dtype else {}

    def make():
        layer = call_with(student.Embedding, sizes | named)
        if not isinstance(layer, nn.Module):
            raise LookupError("Embedding is no nn.Module: derive the class from nn.Module.")
        return layer

    return MEASURES[measure](make, token_ids, weight)


def _weight_of(layer):
    weight = dict(layer.named_parameters()).get("weight")
    if weight is None:
        raise LookupError("The layer has no parameter named `weight`: write self.weight = nn.Parameter(...).")
    return weight


def _made_alike(make):
    """With the same first values each time: code that goes on using them is recognised by its numbers."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(0)
        layer = make()
    _weight_of(layer)
    return layer


def _output(make, token_ids, weight):
    """With this weight in the layer."""
    return functional_call(_made_alike(make).to(weight.dtype), {"weight": weight}, (token_ids,))


def _later_output(make, token_ids, weight):
    """After the layer was called with another weight."""
    layer = _made_alike(make).to(weight.dtype)
    functional_call(layer, {"weight": 1 - weight}, (token_ids,))
    return functional_call(layer, {"weight": weight}, (token_ids,))


def _parameters(make, token_ids, weight):
    """All that a checkpoint has, and all that an optimiser is given."""
    layer = make()
    trained = {name for name, each in layer.named_parameters() if each.requires_grad}
    return {
        name: {"shape": list(each.shape), "dtype": str(each.dtype), "is trained": name in trained}
        for name, each in layer.state_dict().items()
    } | {name: "in no checkpoint" for name, _ in layer.named_buffers() if name not in layer.state_dict()}


def _first_weight(make, token_ids, weight):
    return _weight_of(make()).detach().clone()


def _is_within(make, token_ids, weight):
    """Within the limits, and a rounding."""
    first = _weight_of(make()).detach()
    return first.abs().amax().item() <= 3.0001


def _is_spread_out(make, token_ids, weight):
    """Chance does not put twenty numbers at one place."""
    _, counts = _weight_of(make()).detach().unique(return_counts=True)
    return int(counts.amax()) < 20


def _is_every_row_drawn(make, token_ids, weight):
    """None is left out, such as that of a token which stands for padding."""
    first = _weight_of(make()).detach().double()
    return first.std(dim=1).amin().item() > 0


def _are_different(make, token_ids, weight):
    """Two layers that are made one after the other."""
    one, other = (_weight_of(make()).detach() for _ in range(2))
    return not torch.equal(one, other)


MEASURES = {
    "output": _output,
    "later output": _later_output,
    "parameters": _parameters,
    "first weight": _first_weight,
    "is within": _is_within,
    "is spread out": _is_spread_out,
    "is every row drawn": _is_every_row_drawn,
    "are different": _are_different,
}
