"""How front end, recorder and judges speak through Celery and Redis, beneath what they say (`grader.messages`)."""
