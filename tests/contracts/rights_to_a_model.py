"""Rights for a call to a model: policies, conditions and functions, written by hand."""

ARN, HERE = "arn:${AWS::Partition}", "${AWS::Region}:${AWS::AccountId}"
# Functions that call a model, if one is configured.
ASKS = {"summarize", "score", "todos", "card", "proof_slice", "collect_work"}
# Rights for a model: granted to the functions that call it, and only if the setting requires them.
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
