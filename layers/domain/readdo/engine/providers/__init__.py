"""Whoever can answer a question in words: a server that speaks OpenAI's API, or Amazon Bedrock.

    asking         what is asked and answered, and what a provider is
    conversation   one question up to a valid answer: parse, check, one repair
    faults         everything that can go wrong, as one table
    openai_server, bedrock    the two providers
    door           the only place that opens a connection: one deadline, one size
    patience       the only place that tries again

Neither SDK is imported before its first question: rooms without the ai layer may import all of this.
"""
