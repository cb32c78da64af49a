"""The front end and the recorder: the only code that knows the database. Never loads torch."""
