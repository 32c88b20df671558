"""Waiting times of automatic retries. Their number is the number of retries."""

RETRY_SECONDS = (30, 60, 120)
TIMEOUT_RETRY_SECONDS = (300,)  # a second timeout is likely, so there is only one retry
