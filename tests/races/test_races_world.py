"""Calls in many threads behave as calls to many Lambdas, each with its own context."""

from races.race_round import THREADS, Arena, Round


def test_concurrent_calls_get_their_own_answers(arena: Arena) -> None:
    world, round_ = arena.world, Round(arena, 0)
    ids = [world.capture(title=f"{n} 号", process=False) for n in range(4)]
    intents = ["first reason 第一", "second reason 第二"]

    def looks_at(item_id: str) -> list[str]:
        return [world.item(item_id)["id"] for _ in range(20)]

    def saves(intent: str) -> str:
        answer = world.api("POST", "/capture", {"intent_text": intent, "content": "text", "process": False})
        return str(answer.json["item"]["intent_text"])

    sides = round_.race(
        *((6, lambda argument=argument: looks_at(argument)) for argument in ids),
        *((4, lambda argument=argument: saves(argument)) for argument in intents),
    )
    assert sides == [[[argument] * 20] * 6 for argument in ids] + [[argument] * 4 for argument in intents]
    assert sum(map(len, sides)) == THREADS
