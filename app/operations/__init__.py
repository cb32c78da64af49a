"""What whoever runs the service needs to see: queues, workers, recent faults; and a switch for each worker."""
