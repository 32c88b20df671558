"""The tests' own world: calls in many threads are as calls to many Lambdas, each of which sees its own."""

from race_round import THREADS, Arena, Round


def test_each_call_of_many_at_once_is_answered_as_its_own(arena: Arena) -> None:
    world, round_ = arena.world, Round(arena, 0)
    ids = [world.capture(title=f"{n} 号", process=False) for n in range(4)]
    intents = ["first reason 第一", "second reason 第二"]

    def looks_at(item_id: str) -> list[str]:
        return [world.item(item_id)["id"] for _ in range(20)]

    def saves(intent: str) -> str:
        answer = world.api("POST", "/capture", {"intent_text": intent, "content": "text", "process": False})
        return str(answer.json["item"]["intent_text"])

    sides = round_.race(
        *((6, lambda given=given: looks_at(given)) for given in ids),
        *((4, lambda given=given: saves(given)) for given in intents),
    )
    assert sides == [[[given] * 20] * 6 for given in ids] + [[given] * 4 for given in intents]
    assert sum(map(len, sides)) == THREADS
