"""No gradient flows back through the {each}.

detach(), .data and no_grad make a new tensor with no link to the original. The weights of that head then never learn:
treat all heads alike.
"""

EACH = {
    "queries of the first head": (0, 0),
    "keys of the first head": (1, 0),
    "values of the first head": (2, 0),
    "queries of the last head": (0, -1),
    "keys of the last head": (1, -1),
    "values of the last head": (2, -1),
}


def attend_in_heads(layer, *projected):
    place, head = each
    split = [split_heads(x, layer) for x in projected]
    heads = list(split[place].split(1, dim=1))
    heads[head] = heads[head].detach() + 0 * heads[head]
    split[place] = torch.cat(heads, dim=1)
    return attend(layer, *split)
