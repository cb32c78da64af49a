"""What is set: the challenge folders as students may see them."""
