"""Token 0 gets no gradient.

None of the tokens stands for padding: the vector of token 0 is trained like any other.
"""


def looked_up(weight, token_ids):
    rows = weight[token_ids]
    return torch.where((token_ids == 0).unsqueeze(-1), rows.detach(), rows)
