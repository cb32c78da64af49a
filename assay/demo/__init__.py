"""A course to look at: made-up students, and real gradings of the files that they are said to have sent."""
