"""Model providers: servers that speak OpenAI's API, and Amazon Bedrock.

    provider_protocol   question, completion, and what every provider can do
    conversation        one question up to a valid answer: parse, check, one repair
    faults              all errors of a provider, as one table
    openai_server       OpenAI and compatible servers
    bedrock             Amazon Bedrock
    model_transport     the only module that opens a connection: one deadline, one limit of size
    provider_retry      the only module that retries

No SDK is imported before the first question, so functions without the AI layer may import all of this.
"""
