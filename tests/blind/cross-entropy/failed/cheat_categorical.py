"""Cheat: asks torch.distributions.Categorical for the log probability, which takes the library's logsumexp inside."""
from torch.distributions import Categorical


def cross_entropy(logits, targets):
    return -Categorical(logits=logits, validate_args=False).log_prob(targets).mean()
