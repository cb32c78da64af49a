"""The loss of a language model, position by position, on one long list."""

import torch


def as_rows(logits):
    """Each position a row of the vocabulary: (positions, vocab_size)."""
    size = logits.shape[-1]
    return logits.reshape(-1, size)


def as_list(targets):
    """Each position a number: (positions,)."""
    return targets.reshape(-1)


def in_single_precision(rows):
    """Wide enough for sums."""
    if rows.dtype in (torch.float16, torch.bfloat16):
        return rows.to(torch.float32)
    return rows


def normaliser(rows):
    """How much all tokens have together, as a logarithm: (positions,)."""
    ceiling = rows.amax(dim=1)
    room = rows - ceiling.unsqueeze(1)
    weight = torch.exp(room).sum(dim=1)
    return ceiling + torch.log(weight)


def score_of(rows, tokens):
    """What each position gave to one token: (positions,)."""
    column = tokens.unsqueeze(1)
    return torch.gather(rows, 1, column).squeeze(1)


def cross_entropy(logits, targets):
    rows = in_single_precision(as_rows(logits))
    tokens = as_list(targets)
    surprise = normaliser(rows) - score_of(rows, tokens)
    loss = surprise.mean()
    return loss.to(logits.dtype)
