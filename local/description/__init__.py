"""The API's description: made from its calls, its models and its schemas, and from nothing that is typed twice."""
