"""The first run of an installation."""
