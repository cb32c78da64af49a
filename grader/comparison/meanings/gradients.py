"""Exceptions about gradients: what was changed in place, taken out of the graph, or kept from an earlier call."""

from grader.comparison.meanings.meaning import meanings

GRADIENTS = meanings(
    (
        "a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "This writes into a tensor that the caller passed in and needs the gradient of: compute a new "
        "tensor instead of changing it.",
    ),
    (
        "modified by an inplace operation",
        "The backward pass needs a tensor that has since been overwritten (`x[...] = `, `+=`, or "
        "a method ending in `_`): compute a new tensor instead.",
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy does not track gradients. Detaching, as the message suggests, would make it run but lose the "
        "gradient: use torch's own functions.",
    ),
    (
        "backward through the graph a second time",
        "Something computed in an earlier call is reused in this one: compute it again in each call.",
    ),
    (
        r"cannot assign '\S+' as (?:parameter|child module)",
        "A module holds a parameter under this name, and only another parameter can replace it. Use a weight "
        "that is passed in directly, or its gradient is lost.",
    ),
)
