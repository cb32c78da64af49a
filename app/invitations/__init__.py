"""Invitations: a way in for everybody on a roster who has none yet."""
