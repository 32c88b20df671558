"""What asking a model takes: which policy, where, and for whom. Written by hand."""

ARN, HERE = "arn:${AWS::Partition}", "${AWS::Region}:${AWS::AccountId}"
ASKS = {"summarize", "score", "todos", "card"}  # a model, if there is one
# What asking a model takes: granted to the four rooms that ask, and only where the setting calls for it.
OF_A_MODEL = {
    "KeyFromParameter": ("KeyInParameter", {("ssm:GetParameter", f"{ARN}:ssm:{HERE}:parameter${{KeyParameter}}")}),
    "KeyFromSecret": ("KeyInSecret", {("secretsmanager:GetSecretValue", "KeySecretArn")}),
    "AskBedrock": (
        "OnBedrock",
        {
            ("bedrock:InvokeModel", f"{ARN}:bedrock:${{AWS::Region}}::foundation-model/${{ModelName}}"),
            ("bedrock:InvokeModel", f"{ARN}:bedrock:{HERE}:inference-profile/${{ModelName}}"),
            ("bedrock:InvokeModel", f"{ARN}:bedrock:*::foundation-model/*"),
        },
    ),
}
