"""Exercise repositories: which commit is live, what students may see of it, and where judges fetch the rest."""
