"""`around` and `task`, against the services that MEMORY_URL and TIMING_URL name."""

import asyncio
import os
import subprocess
import unittest
from types import SimpleNamespace
from typing import Any

import httpx

import agent_faculties
from agent_faculties import AsyncMemoryClient, AsyncTimingClient, MemoryClient, TimingClient

MEMORY_URL = os.environ["MEMORY_URL"]
TIMING_URL = os.environ["TIMING_URL"]
FACT = "The staging database is db-7, and it is wiped every Sunday night."
QUESTION = "When is the staging database wiped?"


class APITimeoutError(Exception):
    """As the clients of OpenAI and Anthropic have one."""


class Around(unittest.TestCase):
    def setUp(self) -> None:
        self.memory = MemoryClient(MEMORY_URL, agent_id="coder", session_id=self.id())
        self.addCleanup(self.memory.close)
        self.memory.ingest(role="user", name="Dana", content=FACT, options={"agent_id": "planner"})

    def latest(self) -> tuple[str | None, str]:
        newest = self.memory.list_memories(limit=1).page["memories"][0]
        return newest["role"], newest["content"]

    def test_puts_what_is_known_before_the_question_and_stores_the_answer(self) -> None:
        history = [{"role": "system", "content": "Be short."}, {"role": "user", "content": QUESTION}]

        def answer(messages: list[Any], recollection: Any) -> str:
            self.assertIn("db-7", recollection.context)
            self.assertEqual(messages, [history[0], {"role": "system", "content": recollection.context}, history[1]])
            return "Every Sunday night."

        self.assertEqual(self.memory.around(history, answer), "Every Sunday night.")
        self.assertEqual(self.latest(), ("assistant", "Every Sunday night."))

    def test_refuses_a_place_that_there_is_not_and_stores_nothing(self) -> None:
        before = self.latest()
        with self.assertRaisesRegex(ValueError, r"^place must be 'system' or 'user', and is 'top'\.$"):
            self.memory.around([{"role": "user", "content": QUESTION}], lambda *_: "Sunday.", place="top")  # type: ignore[arg-type]
        self.assertEqual(self.latest(), before)

    def test_finds_texts_in_parts_and_objects(self) -> None:
        parts = [{"type": "text", "text": QUESTION}, {"type": "image"}]
        for number, make in enumerate(
            [
                lambda text: {"content": [{"type": "text", "text": text}]},
                lambda text: SimpleNamespace(output_text=text),
                lambda text: {
                    "output": [
                        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "The user asks for a day."}]},
                        {"type": "message", "content": [{"type": "output_text", "text": text}]},
                    ]
                },
                lambda text: {"candidates": [{"content": {"parts": [{"text": "A day?", "thought": True}, {"text": text}]}}]},
                lambda text: SimpleNamespace(content=[SimpleNamespace(type="text", text=text)]),
                lambda text: SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=text))]),
            ]
        ):
            text = f"On Sundays, answer {number}."
            seen: list[Any] = []

            def answer(messages: list[Any], _: Any) -> Any:
                seen.extend(messages)
                return make(text)

            self.memory.around([{"role": "user", "content": parts}], answer, place="user")
            self.assertEqual(self.latest(), ("assistant", text))
            self.assertEqual((len(seen), seen[0]["content"][1:]), (1, parts))
            self.assertIn("db-7", seen[0]["content"][0]["text"])

    def test_stores_nothing_of_an_answer_without_a_text(self) -> None:
        for answer in (
            {"output": [{"type": "function_call", "name": "search", "arguments": "{}"}]},
            {"candidates": [{"content": {"parts": [{"functionCall": {"name": "search"}}]}}]},
            {"candidates": [{"finishReason": "SAFETY"}]},
            {"promptFeedback": {"blockReason": "SAFETY"}},
        ):
            self.memory.around([{"role": "user", "content": QUESTION}], lambda *_, answer=answer: answer)
            self.assertEqual(self.latest(), ("user", QUESTION))

    def test_a_name_is_that_of_the_message_else_that_of_the_recall(self) -> None:
        def answer(messages: list[Any], _: Any) -> str:
            return f"{len(messages)} messages"

        for message, name in (({}, "Wei"), ({"name": "Dana"}, "Dana")):
            asked = [{"role": "user", "content": f"{QUESTION} asks {name}", **message}]
            self.assertEqual(self.memory.around(asked, answer, recall={"name": "Wei", "top_k": 3}), "2 messages")
            names = [one["name"] for one in self.memory.list_memories(limit=2) if one["role"] == "user"]
            self.assertEqual(names[0], name)

    def test_raises_on_what_the_model_raises(self) -> None:
        fault = RuntimeError("overloaded")

        def answer(*_: Any) -> None:
            raise fault

        with self.assertRaises(RuntimeError) as raised:
            self.memory.around([{"role": "user", "content": QUESTION}], answer)
        self.assertIs(raised.exception, fault)

    def test_works_under_asyncio(self) -> None:
        async def call() -> str:
            async with AsyncMemoryClient(MEMORY_URL, agent_id="coder") as memory:

                async def answer(messages: list[Any], _: Any) -> str:
                    return f"{len(messages)} messages came under asyncio."

                return await memory.around([{"role": "user", "content": QUESTION}], answer)

        self.assertEqual(asyncio.run(call()), "2 messages came under asyncio.")
        self.assertEqual(self.latest(), ("assistant", "2 messages came under asyncio."))


class Tasks(unittest.TestCase):
    def setUp(self) -> None:
        self.timing = TimingClient(TIMING_URL, agent_id=self.id()[-100:])
        self.addCleanup(self.timing.close)

    def latest(self) -> tuple[str, str | None]:
        task = self.timing.list_tasks(limit=1).page["tasks"][0]
        return task["task_type"], task["outcome"]

    def test_records_how_it_ended(self) -> None:
        with self.timing.task("build", estimated_seconds=60, metadata={"branch": "main"}) as task:
            state = self.timing.get_task(correlation_id=task.correlation_id)["task"]
            self.assertEqual((state["state"], state["estimated_seconds"]), ("active", 60))
        self.assertEqual(self.latest(), ("build", "ok"))
        ends: dict[BaseException, str] = {
            ValueError("x"): "error",
            TimeoutError(): "timeout",
            agent_faculties.TimeoutError("a recall took too long"): "timeout",
            subprocess.TimeoutExpired("npm test", 60): "timeout",
            httpx.ReadTimeout("x"): "timeout",
            APITimeoutError(): "timeout",
            KeyboardInterrupt(): "cancelled",
            GeneratorExit(): "cancelled",
        }
        for error, outcome in ends.items():
            with self.subTest(error=error):
                with self.assertRaises(type(error)), self.timing.task(f"ends with {outcome}"):
                    raise error
                self.assertEqual(self.latest(), (f"ends with {outcome}", outcome))

    def test_reports_with_the_options_of_the_call(self) -> None:
        agent_id = f"{self.id()[-90:]}-other"
        options: Any = {"agent_id": agent_id, "session_id": "night", "project": "web-shop", "timeout": 1}
        self.assertEqual(self.timing.with_task("deploy", lambda _: "done", options=options), "done")
        tasks = [(task["task_type"], task["outcome"], task.get("project"), task["metadata"]) for task in self.timing.list_tasks(agent_id=agent_id)]
        self.assertEqual(tasks, [("deploy", "ok", "web-shop", {"session": "night"})])

    def test_records_what_asyncio_ends(self) -> None:
        async def call() -> None:
            async with AsyncTimingClient(TIMING_URL, agent_id=self.id()[-100:]) as timing:
                begun = asyncio.Event()

                async def work(_: Any) -> None:
                    begun.set()
                    await asyncio.Event().wait()

                running = asyncio.ensure_future(timing.with_task("search", work))
                await begun.wait()
                running.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await running
                with self.assertRaises(TimeoutError):
                    async with timing.task("slow"), asyncio.timeout(0):
                        await asyncio.Event().wait()

        asyncio.run(call())
        outcomes = {task["task_type"]: task["outcome"] for task in self.timing.list_tasks()}
        self.assertEqual(outcomes, {"search": "cancelled", "slow": "timeout"})

    def test_ends_what_asyncio_ends_while_it_begins(self) -> None:
        problems: list[BaseException] = []

        async def call() -> None:
            arrived = asyncio.Event()

            async def answer(request: httpx.Request) -> httpx.Response:
                response = await http.send(httpx.Request("POST", request.url, headers=request.headers, content=request.content))
                if request.url.path.endswith("/task-start"):
                    arrived.set()
                    await asyncio.Event().wait()
                return response

            async with httpx.AsyncClient() as http, AsyncTimingClient(
                TIMING_URL,
                agent_id=self.id()[-100:],
                http=httpx.AsyncClient(transport=httpx.MockTransport(answer)),
                on_problem=problems.append,
            ) as timing:
                running = asyncio.ensure_future(timing.with_task("search", lambda _: None))
                await arrived.wait()
                running.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await running

        asyncio.run(call())
        self.assertEqual(self.latest(), ("search", "cancelled"))
        self.assertEqual(problems, [])

    def test_ends_what_the_service_may_have_begun_without_answering_in_time(self) -> None:
        for is_taken in (True, False):
            problems: list[BaseException] = []

            def answer(request: httpx.Request, is_taken: bool = is_taken) -> httpx.Response:
                is_start = request.url.path.endswith("/task-start")
                if is_taken or not is_start:
                    response = http.send(httpx.Request("POST", request.url, headers=request.headers, content=request.content))
                if is_start:
                    raise httpx.ReadTimeout("too slow")
                return response

            agent_id = f"{self.id()[-100:]}-{is_taken}"
            with httpx.Client() as http, TimingClient(
                TIMING_URL,
                agent_id=agent_id,
                http=httpx.Client(transport=httpx.MockTransport(answer)),
                on_problem=problems.append,
            ) as timing:
                self.assertEqual(timing.with_task("build", lambda _: "done"), "done")
            states = [task["state"] for task in self.timing.list_tasks(agent_id=agent_id)]
            self.assertEqual(states, ["ended"] if is_taken else [])
            self.assertEqual([type(error) for error in problems], [agent_faculties.TimeoutError])


if __name__ == "__main__":
    unittest.main()
