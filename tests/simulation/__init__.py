"""Histories that a seed makes: users, workers and faults above the real domain, one step at a time.

stage        who acts next, and what time it is
network      what goes wrong with a call
table bucket workflow   doubles of DynamoDB, S3 and Step Functions (which reads the real workflows)
surroundings the domain and the rooms, put on the stage
users        what people ask for
watch        what must hold after every write
verdict      what must hold in the end
history      one seed, from the first call to the verdict
"""
