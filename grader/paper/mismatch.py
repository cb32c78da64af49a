"""What can be wrong with an outcome: the kinds that comparison, scoring and the hints of exercises share."""

from enum import StrEnum


class Mismatch(StrEnum):
    """How an outcome differs."""

    VALUES = "values"
    NOT_FINITE = "not_finite"
    SHAPE = "shape"
    DTYPE = "dtype"
    RAISED = "raised"
    NOT_RAISED = "not_raised"
    RAISED_OTHERWISE = "raised_otherwise"
    NOT_A_TENSOR = "not_a_tensor"
    NO_GRADIENT = "no_gradient"
    GRADIENT_RAISED = "gradient_raised"
    GRADIENT_VALUES = "gradient_values"
    KIND = "kind"
    KEYS = "keys"
    DISTRIBUTION = "distribution"
    CHANGED_ARGUMENT = "changed_argument"
    CHANGED_EARLIER = "changed_earlier"
