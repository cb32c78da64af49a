"""What a course takes elsewhere: points for gradebooks, reports for other programs."""
