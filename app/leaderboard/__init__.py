"""Leaderboards of assignments: who agreed to be shown, under which pseudonym, and how fast their code was measured."""
