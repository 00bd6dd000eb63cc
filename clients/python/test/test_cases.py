"""Every case of clients/cases.json, against services that start empty: MEMORY_URL and TIMING_URL say where, MODE is sync or async."""

import asyncio
import json
import keyword
import os
import re
import unittest
from itertools import islice
from pathlib import Path
from typing import Any

import agent_faculties
from agent_faculties import NULL, ApiError, AsyncMemoryClient, AsyncTimingClient, MemoryClient, TimingClient

CASES = json.loads((Path(__file__).parents[2] / "cases.json").read_text())["cases"]
IS_ASYNC = os.environ.get("MODE") == "async"


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def named(fields: dict[str, Any]) -> dict[str, Any]:
    def argument(name: str) -> str:
        return f"{name}_" if keyword.iskeyword(name) else name.replace("-", "_").lower() if "-" in name else name

    return {argument(name): value for name, value in fields.items()}


class Cases(unittest.TestCase):
    """One test, because later cases need what earlier ones have stored."""

    saved: dict[str, str] = {}

    def setUp(self) -> None:
        memory, timing = (AsyncMemoryClient, AsyncTimingClient) if IS_ASYNC else (MemoryClient, TimingClient)
        self.clients: dict[str, Any] = {
            "memory": memory(os.environ["MEMORY_URL"]),
            "timing": timing(os.environ["TIMING_URL"]),
        }

    def test_cases(self) -> None:
        if IS_ASYNC:
            return asyncio.run(self.all_async())
        for case in CASES:
            with self.subTest(f"{case['service']} {case['operation']} {case['title']}"):
                self.sync(case)
        for client in self.clients.values():
            client.close()
        return None

    async def all_async(self) -> None:
        for case in CASES:
            with self.subTest(f"{case['service']} {case['operation']} {case['title']}"):
                await self.asynchronous(case)
        for client in self.clients.values():
            await client.close()

    def filled(self, value: Any) -> Any:
        def fill(place: re.Match[str]) -> str:
            return json.dumps(self.saved.get(place[1], f"no {place[1]}"))

        return json.loads(re.sub(r'"\$(\w+)"', fill, json.dumps(value)))

    def call(self, case: dict[str, Any], fields: dict[str, Any] | None = None) -> Any:
        client = self.clients[case["service"]]
        options = {snake(name): value for name, value in case.get("options", {}).items()}
        method = snake(case["operation"])
        if "lineInput" in case:
            return getattr(client, method)(case["lineInput"], options=options)
        fields = self.filled(case["input"] if fields is None else fields)
        given = named({name: NULL if value is None else value for name, value in fields.items()})
        if "saveHeader" in case:
            return client.with_response(method, **given, options=options)
        return getattr(client, method)(**given, options=options)

    def sync(self, case: dict[str, Any]) -> None:
        if "before" in case:
            self.call(case, case["before"])
        if "error" in case:
            with self.assertRaises(ApiError) as raised:
                self.call(case)
            return self.check_error(case["error"], raised.exception)
        answer = self.call(case)
        if "all" in case or "lines" in case:
            answer = list(answer)
        elif "events" in case:
            answer = list(islice(answer, case["events"]))
        self.check(case, answer)

    async def asynchronous(self, case: dict[str, Any]) -> None:
        if "before" in case:
            await self.call(case, case["before"])
        if "error" in case:
            with self.assertRaises(ApiError) as raised:
                await self.call(case)
            return self.check_error(case["error"], raised.exception)
        if "all" in case or "lines" in case:
            answer = [item async for item in self.call(case)]
        elif "events" in case:
            answer = []
            async for event in self.call(case):
                answer.append(event)
                if len(answer) >= case["events"]:
                    break
        else:
            answer = await self.call(case)
        self.check(case, answer)

    def check_error(self, expected: dict[str, Any], error: ApiError) -> None:
        self.assertIsInstance(error, getattr(agent_faculties, expected["class"]))
        self.assertEqual((error.status, error.code), (expected["status"], expected["code"]))
        self.assertTrue(error.request_id)
        if expected.get("where"):
            self.assertIn(expected["where"], [fault["where"] for fault in error.errors])

    def check(self, case: dict[str, Any], answer: Any) -> None:
        if "all" in case:
            return self.assertEqual(len(answer), case["count"])
        if "lines" in case:
            self.assertEqual(len(answer), case["lines"])
            for line in answer:
                self.check_part(case.get("expectEach", {}), line)
            return None
        if "events" in case:
            return self.assertRegex(answer[0].id, r"^\d")
        if "contains" in case:
            return self.assertIn(case["contains"].lower(), answer.lower())
        if "saveHeader" in case:
            for name, header in case["saveHeader"].items():
                self.saved[name] = answer.headers[header]
            answer = answer.data
        elif isinstance(answer, agent_faculties.Pages):
            answer = answer.page
        self.check_part(self.filled(case.get("expect", {})), answer)
        for name, path in case.get("save", {}).items():
            value = answer
            for part in path.split("."):
                value = value[part]
            self.saved[name] = value

    def check_part(self, expected: Any, answer: Any, where: str = "answer") -> None:
        """What is expected is a part of the answer: of objects some fields, of lists every item."""
        if isinstance(expected, dict):
            for name, value in expected.items():
                self.assertIn(name, answer, where)
                self.check_part(value, answer[name], f"{where}.{name}")
        elif isinstance(expected, list):
            self.assertEqual(len(answer), len(expected), where)
            for index, value in enumerate(expected):
                self.check_part(value, answer[index], f"{where}[{index}]")
        else:
            self.assertEqual(answer, expected, where)


if __name__ == "__main__":
    unittest.main()
