"""Who has what in a course: points of each student in each assignment, and what staff decide about them."""
