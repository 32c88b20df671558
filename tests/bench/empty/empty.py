"""A function that does nothing, to measure the overhead of the local stack."""


def handler(_event: object, _context: object) -> dict[str, object]:
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": "{}"}
