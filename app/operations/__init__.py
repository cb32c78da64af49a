"""The operators' view: queues, workers, recent faults; and a switch for each worker."""
