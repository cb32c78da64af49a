"""The challenges of this installation, as students may see them."""
