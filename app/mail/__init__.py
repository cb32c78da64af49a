"""Sending mail. What is to be sent waits in tables of their own (`app.invitations.mailing`, `app.news.mailing`)."""
