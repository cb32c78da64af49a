"""The pages for browsers: rendered here, working without JavaScript, showing only what the REST API also gives."""
