"""Exercise repositories: fetched by commit with a hardened git, checked file by file, kept for judges."""
