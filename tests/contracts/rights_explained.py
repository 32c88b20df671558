"""Rights that the scenario of test_rights_are_enough.py does not use, each with its use case."""

from contracts.template_rights import Right

KEPT_BEFORE = "the artifact that an earlier delivery left in the bucket is read and adopted"
RESET_MEANWHILE = "the files that it stored for a job that was reset meanwhile are deleted"
SKIPPED = "Lambda notes a record that was skipped, with the room's rights"
READ_FOR_IT = "Lambda reads the stream, with the room's rights"
# Granted, but not used by the scenario: function → right → the case that needs it
EXPLAINED: dict[str, dict[Right, str]] = {
    "http_api": {
        ("s3:GetObject", "Bucket/exports/*"): "a file's presigned link works with the room's rights",
        ("s3:GetObject", "Bucket/backups/*"): "so does a backup's",
        ("s3:GetObject", "Bucket/content/*"): "two captures of the same text at once: the later finds it there",
        ("s3:PutObject", "Bucket/artifacts/*"): "a user's version of more than 4 kB",
        ("s3:GetObject", "Bucket/runs/*"): "a file's presigned link works with the room's rights",
        ("s3:PutObject", "Bucket/imports/*"): "the link to which a file is sent works with the room's rights",
        ("s3:PutObject", "Bucket/restores/*"): "the link by which a backup is sent works with the room's rights",
    },
    "pages": {
        ("s3:GetObject", "Bucket/exports/*"): "a file's presigned link works with the room's rights",
        ("s3:GetObject", "Bucket/content/*"): "two captures of the same text at once: the later finds it there",
        ("s3:PutObject", "Bucket/artifacts/*"): "a user's version of more than 4 kB",
        ("s3:GetObject", "Bucket/runs/*"): "evidence's presigned link works with the room's rights",
    },
    "announce": {
        ("sqs:SendMessage", "SkippedRecords"): SKIPPED,
        ("dynamodb:DescribeStream", "Table/stream"): READ_FOR_IT,
        ("dynamodb:GetRecords", "Table/stream"): READ_FOR_IT,
        ("dynamodb:GetShardIterator", "Table/stream"): READ_FOR_IT,
        ("dynamodb:ListStreams", "Table/stream/*"): READ_FOR_IT,
    },
    "mirror": {("dynamodb:BatchGetItem", "Table"): "the items whose pipeline's runs are shown"},
    "mark": {
        ("sqs:SendMessage", "SkippedRecords"): SKIPPED,
        ("dynamodb:DescribeStream", "Table/stream"): READ_FOR_IT,
        ("dynamodb:GetRecords", "Table/stream"): READ_FOR_IT,
        ("dynamodb:GetShardIterator", "Table/stream"): READ_FOR_IT,
        ("dynamodb:ListStreams", "Table/stream/*"): READ_FOR_IT,
    },
    **{
        name: {
            ("s3:DeleteObject", "Bucket/proof/*"): RESET_MEANWHILE,
            ("s3:ListBucket", "Bucket"): RESET_MEANWHILE,
        }
        for name in ("proof_validate", "proof_slice", "proof_merge")
    },
    "lease": {("dynamodb:GetItem", "Table"): "a write whose outcome is unknown is looked at"},
    "heartbeat": {
        ("s3:GetObject", "Bucket/runs/*"): "a run's summary that was filed, and not noted",
    },
    "extract": {("s3:GetObject", "Bucket/artifacts/*"): KEPT_BEFORE},
    "summarize": {("s3:PutObject", "Bucket/artifacts/*"): "a summary of more than 4 kB"},
    "score": {("s3:PutObject", "Bucket/artifacts/*"): "a score of more than 4 kB"},
    "todos": {
        ("s3:PutObject", "Bucket/artifacts/*"): "todos of more than 4 kB",
        ("s3:GetObject", "Bucket/artifacts/*"): "a summary or score of more than 4 kB",
    },
    "card": {
        ("s3:PutObject", "Bucket/artifacts/*"): "a card of more than 4 kB",
        ("s3:GetObject", "Bucket/artifacts/*"): "what it is made from, of more than 4 kB",
    },
    "restore": {
        ("s3:GetObject", f"Bucket/{prefix}/*"): "what a start that was broken off has stored is read and adopted"
        for prefix in ("content", "exports", "proof")
    },
    "gate": {("s3:GetObject", "Bucket/artifacts/*"): "an artifact of more than 4 kB"},
    "export": {
        ("s3:GetObject", "Bucket/artifacts/*"): "a card of more than 4 kB",
    },
    "import_lines": {
        ("s3:GetObject", "Bucket/content/*"): "a slice that is done twice: the later finds the text there",
        ("s3:DeleteObject", "Bucket/content/*"): "a text whose capture was refused by another's",
    },
}
