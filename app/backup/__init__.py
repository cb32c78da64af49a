"""Copies of the whole database in one file, and the way back. SQLite's is a database file, PostgreSQL's an archive."""
