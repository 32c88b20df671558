"""Simulated histories, each from a seed: users, workers and faults on the real domain, step by step.

stage        the scheduler: the next actor, and the time
network      the faults of a call
table bucket workflow   doubles of DynamoDB, S3 and Step Functions (which reads the real workflows)
surroundings the domain and the functions, connected to the stage
users        the requests of users
watch        the invariants after every write
verdict      the invariants at the end
history      one seed, from the first call to the verdict
"""
