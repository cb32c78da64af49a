"""Something from an earlier module is reused.

A mask or a size kept outside the instance (in the class, in a global variable, in a default argument) is shared by all
modules, whatever their sizes. Keep it on self.
"""


def later_tokens(context_length, _masks=[]):  # noqa: B006  the mistake itself
    if not _masks:
        _masks.append(torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1))
    return _masks[0]
