"""What is sent into the sandbox as text, to run a lecturer's tests beside a submission: each file stands alone."""
