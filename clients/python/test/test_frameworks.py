"""The adapters in their frameworks, against the services that MEMORY_URL and TIMING_URL name. The frameworks are installed by
`npm run test:frameworks`.
"""

import asyncio
import copy
import json
import os
import random
import tempfile
import threading
import unittest
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.models.interface import Model
from anthropic import Anthropic, AsyncAnthropic
from anthropic.tools import BetaLocalFilesystemMemoryTool
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from agent_faculties import AsyncMemoryClient, FacultiesError, MemoryClient
from agent_faculties.adapters.anthropic import AsyncMemoryFiles, MemoryFiles
from agent_faculties.adapters.langgraph import MemoryServiceStore
from agent_faculties.adapters.openai_agents import faculty_tools

MEMORY_URL = os.environ["MEMORY_URL"]
TIMING_URL = os.environ["TIMING_URL"]
FACT = "The release train leaves on Thursday at noon."
QUESTION = "When does the release train leave?"
set_tracing_disabled(True)


def fresh(counter: list[int] = [0]) -> str:  # noqa: B006 - one counter for all
    counter[0] += 1
    return f"py-{os.getpid()}-{counter[0]}"


class WithMemory(unittest.TestCase):
    def setUp(self) -> None:
        self.memory = MemoryClient(MEMORY_URL, agent_id="pythonist")
        self.addCleanup(self.memory.close)


class ScriptedModel(BaseHTTPRequestHandler):
    """Anthropic's messages: says what is in `script`, one turn a request."""

    script: list[list[dict[str, Any]]] = []
    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:  # noqa: N802
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        turn = len(self.asked) - 1
        uses = self.script[turn] if turn < len(self.script) else None
        content = (
            [{"type": "tool_use", "id": f"t{turn}-{n}", "name": "memory", "input": one} for n, one in enumerate(uses)]
            if uses
            else [{"type": "text", "text": "Done."}]
        )
        answer = {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": content}
        stop = {"stop_reason": "tool_use" if uses else "end_turn", "stop_sequence": None}
        body = json.dumps({**answer, **stop, "usage": {"input_tokens": 1, "output_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class AnthropicMemoryTool(WithMemory):
    PATH = "/memories/style.md"
    SCRIPT: list[list[dict[str, Any]]] = [
        [{"command": "view", "path": "/memories"}],
        [{"command": "create", "path": PATH, "file_text": "Dana likes short sentenses."}],
        [
            {"command": "str_replace", "path": PATH, "old_str": "sentenses", "new_str": "sentences"},
            {"command": "insert", "path": PATH, "insert_line": 1, "insert_text": "And no riddles."},
        ],
        [{"command": "view", "path": "/memories/../secret"}],
        [{"command": "rename", "old_path": PATH, "new_path": "/memories/old.md"}],
        [{"command": "create"}],
    ]

    def setUp(self) -> None:
        super().setUp()
        self.handler = type("Handler", (ScriptedModel,), {"script": self.SCRIPT, "asked": []})
        self.server = HTTPServer(("127.0.0.1", 0), self.handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        url = f"http://127.0.0.1:{self.server.server_port}"
        self.settings: dict[str, Any] = {"base_url": url, "api_key": "none", "max_retries": 0}
        self.asking: dict[str, Any] = {
            "model": "scripted",
            "max_tokens": 100,
            "messages": [{"role": "user", "content": "Dana likes short sentences."}],
        }

    def check(self, collection: str) -> None:
        self.assertEqual(self.handler.asked[0]["tools"], [{"type": "memory_20250818", "name": "memory"}])
        results = [
            block
            for asked in self.handler.asked
            for block in asked["messages"][-1]["content"]
            if isinstance(block, dict) and block["type"] == "tool_result"
        ]
        errors = [bool(result.get("is_error")) for result in results]
        self.assertEqual(errors, [False, False, False, False, True, False, True])
        self.assertIn("would lead out of the /memories directory", json.dumps(results[4]))
        self.assertIn("path is missing", json.dumps(results[6]))
        tool = MemoryFiles(self.memory, collection=collection)
        shown = tool.view(SimpleNamespace(path="/memories/old.md"))
        self.assertTrue(shown.endswith("     1\tDana likes short sentences.\n     2\tAnd no riddles."), shown)

    def test_serves_the_tool_runner(self) -> None:
        collection = fresh()
        with Anthropic(**self.settings) as anthropic:
            tool = MemoryFiles(self.memory, collection=collection)
            answer = anthropic.beta.messages.tool_runner(**self.asking, tools=[tool]).until_done()
        self.assertEqual(answer.content[0].text, "Done.")
        self.check(collection)

    def test_serves_the_tool_runner_under_asyncio(self) -> None:
        collection = fresh()

        async def converse() -> None:
            async with AsyncAnthropic(**self.settings) as anthropic, AsyncMemoryClient(MEMORY_URL) as memory:
                tool = AsyncMemoryFiles(memory, collection=collection)
                await anthropic.beta.messages.tool_runner(**self.asking, tools=[tool]).until_done()

        asyncio.run(converse())
        self.check(collection)

    def test_answers_as_the_files_on_a_disk_of_the_sdk_do(self) -> None:
        chance = random.Random(20261122)

        def path() -> str:
            return "/".join(["/memories", *chance.choices(["a", "b", "c.md"], k=chance.randint(0, 3))])

        def command() -> SimpleNamespace:
            name = chance.choice(["view", "create", "create", "str_replace", "delete", "rename"])
            lines = chance.choices(["red", "blue", "grey", "", " "], k=chance.randint(0, 4))
            return SimpleNamespace(
                command=name,
                path=path(),
                old_path=path(),
                new_path=path(),
                file_text="\n".join(lines),
                view_range=chance.choice([None, [1, 2], [2, -1], [3, 5]]),
                old_str=chance.choice(["red", "blue", "r", "e\nb"]),
                new_str=chance.choice(["", "pink"]),
            )

        def answer(tool: Any, one: SimpleNamespace) -> str:
            try:
                text = str(getattr(tool, one.command)(one))
            except Exception:  # noqa: BLE001 - theirs words the errors of its disk as it does
                return "an error"
            listed = text.startswith("Here're the files")
            return "\n".join(line.split("\t")[-1] for line in text.split("\n")[1:]) if listed else text

        def drop_empty_folders(folder: Path) -> None:
            # A folder of ours is there as long as something is in it.
            for inner in folder.iterdir():
                if inner.is_dir():
                    drop_empty_folders(inner)
                    if not any(inner.iterdir()):
                        inner.rmdir()

        for _ in range(12):
            with tempfile.TemporaryDirectory() as folder:
                theirs: Any = BetaLocalFilesystemMemoryTool(folder)
                ours = MemoryFiles(self.memory, collection=fresh())
                for _ in range(20):
                    one = command()
                    self.assertEqual(answer(ours, one), answer(theirs, one), one)
                    drop_empty_folders(Path(folder) / "memories")


class LangGraphStore(WithMemory):
    def test_keeps_changes_finds_and_deletes(self) -> None:
        store = MemoryServiceStore(self.memory, collection=fresh())
        store.put(("users", "dana"), "food", {"likes": "pizza", "deep": [1, None, {"x": True}]})
        store.put(("users", "dana"), "train", {"text": FACT})
        item = store.get(("users", "dana"), "food")
        assert item is not None
        self.assertEqual(item.value, {"likes": "pizza", "deep": [1, None, {"x": True}]})
        self.assertEqual(item.created_at, item.updated_at)
        found = store.search(("users",), query=QUESTION)
        self.assertEqual((found[0].key, found[0].namespace), ("train", ("users", "dana")))
        self.assertGreater(found[0].score or 0, 0)
        store.delete(("users", "dana"), "food")
        self.assertIsNone(store.get(("users", "dana"), "food"))

    def test_refuses_what_it_cannot_keep(self) -> None:
        store = MemoryServiceStore(self.memory, collection=fresh())
        with self.assertRaises(InvalidNamespaceError):
            store.put(("a.b",), "k", {})
        with self.assertRaises(InvalidNamespaceError):
            store.batch([PutOp(("",), "k", {})])
        with self.assertRaisesRegex(TypeError, "must be JSON"):
            store.put(("a",), "k", {"x": object()})
        with self.assertRaisesRegex(FacultiesError, "send at most 65536"):
            store.put(("a",), "k", {"text": "x" * 70_000})
        store.put(("a",), "k", {})
        with self.assertRaisesRegex(ValueError, r"There is no operator \$like"):
            store.search(("a",), filter={"x": {"$like": "y"}})

    def test_keeps_an_item_for_its_time(self) -> None:
        collection = fresh()
        store = MemoryServiceStore(self.memory, collection=collection, ttl={"default_ttl": 30})

        def memory(key: str) -> Any:
            return next(one for one in self.memory.list_memories(tag=f"{collection}:a/{key}"))

        def minutes_left(key: str) -> float:
            until = datetime.fromisoformat(memory(key)["expires_at"])
            return (until - datetime.now(timezone.utc)).total_seconds() / 60

        def nearly_over(key: str) -> None:
            soon = datetime.now(timezone.utc) + timedelta(minutes=1)
            self.memory.update_memory(id=memory(key)["id"], expires_at=soon.isoformat())

        store.put(("a",), "told", {"text": FACT}, ttl=10)
        store.put(("a",), "default", {"x": 1})
        store.put(("a",), "ever", {"x": 1}, ttl=None)
        self.assertAlmostEqual(minutes_left("told"), 10, delta=1)
        self.assertAlmostEqual(minutes_left("default"), 30, delta=1)
        self.assertIsNone(memory("ever")["expires_at"])

        before = memory("told")["updated_at"]
        store.get(("a",), "told")
        self.assertEqual(memory("told")["updated_at"], before)
        for read in (lambda: store.get(("a",), "told"), lambda: store.search(("a",), query=QUESTION)):
            nearly_over("told")
            store.get(("a",), "told", refresh_ttl=False)
            self.assertAlmostEqual(minutes_left("told"), 1, delta=1)
            read()
            self.assertAlmostEqual(minutes_left("told"), 10, delta=1)
        item = store.get(("a",), "told")
        self.assertEqual(item and item.value, {"text": FACT})

        store.put(("a",), "told", {"text": FACT}, ttl=None)
        self.assertIsNone(memory("told")["expires_at"])
        soon = datetime.now(timezone.utc) + timedelta(milliseconds=50)
        self.memory.update_memory(id=memory("ever")["id"], expires_at=soon.isoformat())
        while store.get(("a",), "ever"):
            self.assertLess(datetime.now(timezone.utc), soon + timedelta(seconds=30))
        self.assertEqual({one.key for one in store.search(("a",))}, {"told", "default"})

    def test_serves_asyncio_with_either_client(self) -> None:
        collection = fresh()

        async def use() -> None:
            async with AsyncMemoryClient(MEMORY_URL, agent_id="other") as memory:
                store = MemoryServiceStore(memory, collection=collection)
                await store.aput(("n",), "k", {"text": FACT}, index=["text"])
                self.assertEqual([item.key for item in await store.asearch((), query=QUESTION)], ["k"])
                with self.assertRaisesRegex(TypeError, "MemoryClient"):
                    store.batch([])
            both = MemoryServiceStore(self.memory, collection=collection)
            self.assertEqual(await both.alist_namespaces(), [("n",)])

        asyncio.run(use())
        item = MemoryServiceStore(self.memory, collection=collection).get(("n",), "k")
        self.assertEqual(item and item.value, {"text": FACT})

    def test_does_what_the_store_in_memory_does(self) -> None:
        chance = random.Random(20261122)
        filters: list[Any] = [
            None,
            {"s": "x"},
            {"n": {"$gt": 1}},
            {"n": {"$gte": 1, "$lt": 3}, "s": {"$ne": "y"}},
            {"n": {"$lte": 0}},
            {"l": [1, 2]},
            {"missing": 1},
        ]

        def labels(least: int, most: int, of: str = "abc") -> tuple[str, ...]:
            return tuple(chance.choices(of, k=chance.randint(least, most)))

        def operation() -> Any:
            kind = chance.randrange(7)
            if kind < 3:
                value = {"n": chance.randint(0, 3), "s": chance.choice("xy"), "l": [1, chance.randint(1, 2)]}
                return PutOp(labels(1, 3), chance.choice("kl"), value)
            if kind == 3:
                return PutOp(labels(1, 3), chance.choice("kl"), None)
            if kind == 4:
                return GetOp(labels(1, 3), chance.choice("kl"))
            if kind == 5:
                return SearchOp(labels(0, 2), filter=chance.choice(filters), limit=100)
            conditions = tuple(
                MatchCondition(chance.choice(["prefix", "suffix"]), labels(0, 2, "abc*"))  # type: ignore[arg-type]
                for _ in range(chance.randint(0, 2))
            )
            return ListNamespacesOp(conditions, chance.choice([None, 1, 2]), chance.randint(1, 5), chance.randint(0, 2))

        def read(store: InMemoryStore, op: Any) -> Any:
            # Theirs keeps namespaces in which nothing is left, and makes those that are asked for.
            for namespace in [name for name, items in store._data.items() if not items]:
                del store._data[namespace]
            return None if isinstance(op, PutOp) else store.batch([op])[0]

        def plain(result: Any) -> Any:
            """Without times, and in one order: theirs lists in the order of the first put, ours the newest first."""
            if isinstance(result, list) and result and hasattr(result[0], "key"):
                return sorted((plain(item) for item in result), key=repr)
            return (result.namespace, result.key, result.value) if hasattr(result, "key") else result

        for _ in range(8):
            ours, theirs = MemoryServiceStore(self.memory, collection=fresh()), InMemoryStore()
            for _ in range(5):
                batch = [operation() for _ in range(chance.randint(1, 6))]
                expected = [copy.deepcopy(read(theirs, op)) for op in batch]
                theirs.batch([op for op in batch if isinstance(op, PutOp)])
                self.assertEqual([plain(one) for one in ours.batch(batch)], [plain(one) for one in expected], batch)


class ScriptedAgentModel(Model):
    """Calls each tool that it is told to, then says what they answered."""

    def __init__(self, calls: list[tuple[str, str]]) -> None:
        self.calls = list(calls)

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        if self.calls:
            name, arguments = self.calls.pop(0)
            output: Any = ResponseFunctionToolCall(
                type="function_call", name=name, arguments=arguments, call_id=f"c{len(self.calls)}"
            )
        else:
            said = "\n".join(item["output"] for item in input if item.get("type") == "function_call_output")
            text = ResponseOutputText(type="output_text", text=said, annotations=[])
            output = ResponseOutputMessage(
                id="m", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


class OpenAiAgents(WithMemory):
    def test_serves_an_agent(self) -> None:
        async def converse() -> str:
            tools = await faculty_tools(memory_url=MEMORY_URL, timing_url=TIMING_URL, agent_id="jürgen")
            self.assertIn("timing_expect", [tool.name for tool in tools])
            calls = [
                ("memory_remember", json.dumps({"content": FACT, "source": "user", "name": "Dana"})),
                ("memory_recall", json.dumps({"query": QUESTION})),
                ("memory_get", json.dumps({"id": "none"})),
                ("timing_now", ""),
            ]
            agent = Agent(name="Planner", model=ScriptedAgentModel(calls), tools=list(tools))
            return (await Runner.run(agent, QUESTION)).final_output

        said = asyncio.run(converse())
        self.assertRegex(said, r"Dana \(told by jürgen\).*Thursday")
        self.assertIn("unknown_memory", said)
        self.assertIn("It is 20", said)

    def test_an_answer_may_hold_any_line_break(self) -> None:
        self.memory.ingest(role="user", content="The crane\u2028data: comes\x85on Friday.")

        async def recall() -> str:
            [tool] = await faculty_tools(memory_url=MEMORY_URL, timing_url=None, only=["memory_recall"])
            return await tool.on_invoke_tool(None, json.dumps({"query": "When does the crane come?"}))

        self.assertIn("on Friday", asyncio.run(recall()))

    def test_reads_some_tools_and_says_what_there_is_not(self) -> None:
        async def read(**settings: Any) -> list[str]:
            return [tool.name for tool in await faculty_tools(memory_url=MEMORY_URL, **settings)]

        only = {"timing_url": None, "only": ["memory_recall"]}
        self.assertEqual(asyncio.run(read(**only)), ["memory_recall"])
        with self.assertRaisesRegex(FacultiesError, "There is no tool timing_now: there are memory_remember"):
            asyncio.run(read(timing_url=None, only=["timing_now"]))
        with self.assertRaisesRegex(FacultiesError, "cannot be reached"):
            asyncio.run(read(timing_url="http://127.0.0.1:1"))


if __name__ == "__main__":
    unittest.main()
