"""How long anything of ours waits before it is tried again by itself, and how often that is."""

RETRY_SECONDS = (30, 60, 120)
TIMEOUT_RETRY_SECONDS = (300,)  # what has taken too long once may do so again
