"""Is an outcome right? Values against the reference's, time against a right answer's, and how a student is told."""
