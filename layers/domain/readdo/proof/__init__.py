"""The Proof desk: a long text, chunk by chunk."""
