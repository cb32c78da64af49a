"""A right cross-entropy: log of the shifted sum minus the target's shifted logit, which gather picks."""


def cross_entropy(logits, targets):
    shifted = logits - logits.amax(-1, keepdim=True)
    chosen = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (shifted.exp().sum(-1).log() - chosen).mean()
