"""The way out: what asks an address that a user named goes through here, and nowhere else."""
