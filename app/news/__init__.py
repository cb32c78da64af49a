"""What is new for a person: unread notes, and what rows that exist anyway tell since they last looked."""
