"""What a correct answer is: challenges, papers, comparison, diagnosis, questions, report. Pure: no HTTP, no
database, no queue, no process.
"""
