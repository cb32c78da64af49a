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


def _as_parameter(tensor):
    """Is taken for an nn.Parameter, as what it stands for is; a real one would keep no gradient of the case's tensor."""
    tensor._is_param = True  # what torch itself marks parameters of other tensor types with
    return tensor


def _called(layer, weight, token_ids):
    """With this weight in the layer."""
    return functional_call(layer, {"weight": _as_parameter(weight)}, (token_ids,))


def _output(make, token_ids, weight):
    return _called(_made_alike(make).to(weight.dtype), weight, token_ids)


def _later_output(make, token_ids, weight):
    """After the layer was called with another weight."""
    layer = _made_alike(make).to(weight.dtype)
    _called(layer, 1 - weight, token_ids)
    return _called(layer, weight, token_ids)


def _output_after_a_step(make, token_ids, weight):
    """After the layer was used in eval() and its weight then changed in place, as optimisers and checkpoints do."""
    layer, held = _made_alike(make).to(weight.dtype).eval(), 1 - weight
    _called(layer, held, token_ids)
    held.copy_(weight)
    return _called(layer, held, token_ids)


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


def _first_weights(make, token_ids, weight):
    """Of two layers that are made one after the other."""
    return [_first_weight(make, token_ids, weight) for _ in range(2)]


MEASURES = {
    "output": _output,
    "later output": _later_output,
    "output after a step": _output_after_a_step,
    "parameters": _parameters,
    "first weight": _first_weight,
    "first weights": _first_weights,
}
