"""Retries, time and streams, against a real server that does to each request what a list says."""

import asyncio
import builtins
import json
import threading
import unittest
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from agent_faculties import (
    ApiError,
    AsyncMemoryClient,
    ConnectionError,
    MemoryClient,
    RateLimitError,
    Runtime,
    TimeoutError,
    TimingClient,
    UnavailableError,
    UnexpectedAnswerError,
)

NOW = 1_795_253_400.0
CUT, HALF, SILENCE, DRIP, PAUSE = "cut", "half", "silence", "drip", "pause"


def problem(status: int, code: str = "some_code", **headers: str) -> dict[str, Any]:
    return {"status": status, "headers": headers, "body": {"status": status, "code": code, "detail": "Do this."}}


def ok(body: Any, content_type: str = "application/json") -> dict[str, Any]:
    return {"status": 200, "headers": {"Content-Type": content_type}, "body": body}


class Faulty(BaseHTTPRequestHandler):
    steps: list[Any] = []
    seen: list[dict[str, Any]] = []
    over = threading.Event()
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.seen.append({"url": self.path, "headers": self.headers, "body": body})
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        self.close_connection = True
        if step == SILENCE:
            self.over.wait()
        elif step == DRIP:
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(200):
                    self.wfile.write(b" ")
                    self.over.wait(0.005)
            except OSError:
                pass  # the client has had enough
        elif step == PAUSE:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b'id: 1\ndata: {"n": 1}\n\n')
            self.over.wait(0.3)
            self.wfile.write(b'id: 2\ndata: {"n": 2}\n\n')
        elif step == HALF:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"memories": [')
        elif step != CUT:
            content = step["body"] if isinstance(step["body"], str) else json.dumps(step["body"])
            self.send_response(step["status"])
            # It says that it closes: the client may else send the next request into the closing connection.
            length = str(len(content.encode()))
            for name, value in {"Content-Length": length, "Connection": "close", **step["headers"]}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(content.encode())

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_: Any) -> None:
        pass


class Retries(unittest.TestCase):
    server: ThreadingHTTPServer
    url: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Faulty)
        cls.url = f"http://127.0.0.1:{cls.server.server_port}"
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls) -> None:
        Faulty.over.set()
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self) -> None:
        self.pauses: list[float] = []
        self.random = 0.0
        keys = iter(f"key-{number}" for number in range(1, 100))
        self.runtime = Runtime(
            random=lambda: self.random,
            monotonic=lambda: 0.0,
            now=lambda: NOW,
            new_key=lambda: next(keys),
            sleep=self.pauses.append,
        )
        self.problems: list[BaseException] = []
        common: dict[str, Any] = {"runtime": self.runtime, "on_problem": self.problems.append}
        self.memory = MemoryClient(self.url, **common)
        self.timing = TimingClient(f"{self.url}/timing/", **common)
        self.addCleanup(self.memory.close)
        self.addCleanup(self.timing.close)

    def will(self, *steps: Any) -> None:
        Faulty.steps[:] = steps
        Faulty.seen.clear()

    def failure(self, call: Callable[[], Any]) -> Any:
        with self.assertRaises(Exception) as raised:
            call()
        return raised.exception

    def test_sends_again_what_does_no_harm(self) -> None:
        page = {"status": 502, "headers": {}, "body": "<html>"}
        for fault in (CUT, HALF, problem(408), problem(429), page, problem(503), problem(504)):
            with self.subTest(fault=fault):
                self.will(fault, fault, ok({"status": "ok"}))
                self.assertEqual(self.memory.get_health(), {"status": "ok"})
                self.assertEqual(len(Faulty.seen), 3)

    def test_does_not_send_again_what_would_end_alike(self) -> None:
        for status in (400, 401, 403, 404, 409, 412, 413, 421, 422, 500):
            self.will(problem(status))
            error = self.failure(self.memory.get_health)
            self.assertIsInstance(error, ApiError)
            self.assertEqual((error.status, str(error), len(Faulty.seen)), (status, f"Do this. ({status} some_code)", 1))

    def test_raises_errors_that_python_has_too_as_those(self) -> None:
        self.will(CUT)
        with self.assertRaises(builtins.ConnectionError):
            self.memory.get_health(options={"max_retries": 0})
        self.will(SILENCE)
        with self.assertRaises(builtins.TimeoutError):
            self.memory.get_health(options={"timeout": 0.05})

    def test_names_the_address_where_nothing_is_there(self) -> None:
        self.will(problem(404, "not_found"))
        self.assertEqual(str(self.failure(self.timing.get_health)), f"Do this. (404 not_found, GET {self.url}/timing/health)")

    def test_says_what_a_call_lacks_or_does_not_know_before_it_asks(self) -> None:
        self.will(ok({}))
        wrong = {
            "id is missing.": lambda: self.memory.get_memory(id=""),
            "id must not be '..'.": lambda: self.memory.get_memory(id=".."),
            "options has no 'timout': there are timeout": lambda: self.memory.get_health(options={"timout": 1}),  # type: ignore[typeddict-unknown-key]
            "There is no option 'agnet_id': there are agent_id": lambda: MemoryClient(agnet_id="x"),  # type: ignore[call-arg]
            "X-Agent-ID must be one line, and is 'a\\nb'.": lambda: self.memory.get_health(options={"agent_id": "a\nb"}),
            "estimated_seconds: Out of range": lambda: self.timing.start_task(task_type="build", estimated_seconds=float("nan")),
            "metadata: Decimal cannot be sent as JSON.": lambda: self.timing.start_task(task_type="build", metadata={"cost": Decimal(1)}),
            "timestamp: a datetime without a time zone": lambda: self.timing.start_task(task_type="build", timestamp=datetime(2026, 11, 30)),  # type: ignore[arg-type]
            "since: a datetime without a time zone": lambda: self.timing.get_time_spent(since=datetime(2026, 11, 30)),  # type: ignore[arg-type]
            "must begin with http:// or https://, and is '127.0.0.1:7832'": lambda: MemoryClient("127.0.0.1:7832"),
            "must begin with http:// or https://, and is None": lambda: MemoryClient(None),  # type: ignore[arg-type]
            "The address '' names no host: write one such as http": lambda: MemoryClient(""),
            "The address '/memory' names no host": lambda: MemoryClient("/memory", http=httpx.Client()),
            "The address 'http://' names no host": lambda: MemoryClient("http://"),
            "The address 'http://h:x' is none: Invalid port: 'x'.": lambda: TimingClient("http://h:x"),
        }
        for said, call in wrong.items():
            self.assertIn(said, str(self.failure(call)))
        self.assertEqual(Faulty.seen, [])

    def test_takes_an_address_without_a_host_where_the_httpx_client_has_it(self) -> None:
        seen: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            seen.append(str(request.url))
            return httpx.Response(200, json={})

        http = httpx.Client(base_url="http://gateway:8080/faculties", transport=httpx.MockTransport(answer))
        MemoryClient("", http=http).get_health()
        TimingClient("/timing", http=http).get_health()
        self.assertEqual(seen, ["http://gateway:8080/faculties/health", "http://gateway:8080/faculties/timing/health"])

    def test_sends_a_datetime_as_iso_8601(self) -> None:
        at, day = datetime(2026, 11, 30, 9, tzinfo=timezone(timedelta(hours=1))), date(2026, 11, 30)
        self.will(ok({}))
        self.timing.start_task(task_type="build", timestamp=at, metadata={"day": day})  # type: ignore[arg-type]
        self.timing.get_time_spent(since=at, until=day)  # type: ignore[arg-type]
        self.timing.import_data([{"timestamp": at}])
        started, asked, imported = Faulty.seen
        sent = json.loads(started["body"])
        self.assertEqual([sent["timestamp"], sent["metadata"]], ["2026-11-30T09:00:00+01:00", {"day": "2026-11-30"}])
        self.assertEqual(asked["url"], "/timing/stats/time-spent?since=2026-11-30T09%3A00%3A00%2B01%3A00&until=2026-11-30")
        self.assertEqual(imported["body"], '{"timestamp": "2026-11-30T09:00:00+01:00"}\n')

    def test_pauses_longer_each_time(self) -> None:
        self.will(problem(503))
        self.failure(lambda: self.memory.get_health(options={"max_retries": 7}))
        self.assertEqual(self.pauses, [0.125, 0.25, 0.5, 1, 2, 4, 4])
        self.pauses.clear()
        self.random = 0.9999999
        self.failure(lambda: self.memory.get_health(options={"max_retries": 7}))
        self.assertEqual([round(pause, 3) for pause in self.pauses], [0.25, 0.5, 1, 2, 4, 8, 8])

    def test_waits_as_retry_after_says(self) -> None:
        for value, pause in (("3", 3), (formatdate(NOW + 5, usegmt=True), 5), ("soon", 0.125), (formatdate(NOW - 5, usegmt=True), 0.125)):
            self.pauses.clear()
            self.will(problem(503, Retry_After=value), ok({}))
            self.memory.get_health()
            self.assertEqual(self.pauses, [pause])
        self.will(problem(429, Retry_After="61"))
        self.assertIsInstance(self.failure(self.memory.get_health), RateLimitError)
        self.assertEqual(len(Faulty.seen), 1)

    def test_fails_with_the_last_fault(self) -> None:
        self.will(problem(503))
        self.assertIsInstance(self.failure(self.memory.get_health), UnavailableError)
        self.assertEqual(len(Faulty.seen), 3)
        self.will(CUT)
        self.assertIsInstance(self.failure(lambda: self.memory.get_health(options={"max_retries": 0})), ConnectionError)

    def test_has_one_key_in_all_attempts(self) -> None:
        for key in ("key-1", "key-2"):
            self.will(CUT, problem(503), ok({}))
            self.memory.ingest(content="Once.")
            self.assertEqual([json.loads(one["body"]) for one in Faulty.seen], [{"content": "Once.", "idempotency_key": key}] * 3)

    def test_sends_once_what_may_do_harm_but_after_429(self) -> None:
        calls: list[Callable[[], Any]] = [
            lambda: self.memory.delete_memory(id="x"),
            self.memory.consolidate,
            lambda: self.timing.record_event(event_type="deploy"),
            lambda: self.timing.end_task(task_type="build"),
        ]
        for call in calls:
            for fault in (CUT, problem(503)):
                self.will(fault, ok({}))
                self.failure(call)
                self.assertEqual(len(Faulty.seen), 1)
            self.will(problem(429), ok({}))
            call()
            self.assertEqual(len(Faulty.seen), 2)
        self.will(CUT, ok({}))
        self.timing.end_task(task_type="build", correlation_id="c")
        self.assertEqual(len(Faulty.seen), 2)

    def test_waits_while_a_service_that_has_answered_is_started_anew(self) -> None:
        refusals = 99.0
        done: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            nonlocal refusals
            refusals -= 1
            if refusals >= 0:
                raise httpx.ConnectError("Connection refused", request=request)
            done.append(request.method)
            return httpx.Response(200, json={})

        def pauses_of(call: Callable[[], Any], number: float) -> list[float]:
            nonlocal refusals
            refusals = number
            self.pauses.clear()
            try:
                call()
            except ConnectionError:
                done.append("gave up")
            return list(self.pauses)

        memory = MemoryClient(self.url, http=httpx.Client(transport=httpx.MockTransport(answer)), runtime=self.runtime)
        self.addCleanup(memory.close)
        never = float("inf")
        self.assertEqual(pauses_of(memory.get_health, never), [0.125, 0.25], "it was never there")
        pauses_of(memory.get_health, 0)
        self.assertEqual(pauses_of(lambda: memory.delete_memory(id="x"), 4), [0.125, 0.25, 0.5, 0.5])
        self.assertEqual(done, ["gave up", "GET", "DELETE"])
        self.assertEqual(pauses_of(lambda: memory.get_health(options={"max_retries": 0}), never), [])
        self.assertEqual(sum(pauses_of(memory.get_health, never)), 7.875)
        self.assertEqual(len(pauses_of(memory.get_health, never)), 2, "it was waited for in vain")

    def test_ends_when_its_time_is_over(self) -> None:
        self.will(SILENCE)
        error = self.failure(lambda: self.memory.get_health(options={"timeout": 0.05}))
        self.assertIsInstance(error, TimeoutError)
        self.assertEqual(str(error), f"GET {self.url}/health was not answered within 0.05 s.")
        # On a busy machine the time is over before the server has read the request.
        self.assertLessEqual(len(Faulty.seen), 1)

    def test_ends_when_its_time_is_over_though_bytes_still_come(self) -> None:
        self.will(DRIP)
        self.assertIsInstance(self.failure(lambda: self.memory.get_health(options={"timeout": 0.05})), TimeoutError)

        async def call() -> None:
            async with AsyncMemoryClient(self.url, runtime=self.runtime) as memory:
                await memory.get_health(options={"timeout": 0.05})

        self.assertIsInstance(self.failure(lambda: asyncio.run(call())), TimeoutError)

    def test_waits_no_longer_around_a_model_or_a_task_than_the_client_does(self) -> None:
        self.will(SILENCE)
        common: dict[str, Any] = {"timeout": 0.05, "runtime": self.runtime, "on_problem": self.problems.append}
        with MemoryClient(self.url, **common) as memory, TimingClient(self.url, **common) as timing:
            memory.around([{"role": "user", "content": "Why?"}], lambda *_: "")
            timing.with_task("build", lambda _: "done")
        self.assertEqual(
            [str(error).removeprefix(f"POST {self.url}") for error in self.problems],
            [f"{path} was not answered within 0.05 s." for path in ("/ingest_and_recall", "/events/task-start", "/events/task-end")],
        )

    def test_an_option_of_a_call_that_is_none_is_that_of_the_client(self) -> None:
        seen: list[tuple[str, float]] = []

        def answer(request: httpx.Request) -> httpx.Response:
            seen.append((request.headers["X-Agent-ID"], request.extensions["timeout"]["read"]))
            return httpx.Response(200, json={"context": "", "memories": []})

        none: Any = {"agent_id": None, "timeout": None, "max_retries": None, "headers": None}
        common: dict[str, Any] = {"agent_id": "ann", "timeout": 9, "runtime": self.runtime}
        memory = MemoryClient(http=httpx.Client(transport=httpx.MockTransport(answer)), **common)
        timing = TimingClient(http=httpx.Client(transport=httpx.MockTransport(answer)), **common)
        memory.get_health(options=none)
        memory.around([{"role": "user", "content": "Why?"}], lambda *_: "", options=none)
        timing.with_task("build", lambda _: "done", options=none)
        self.assertEqual(seen, [("ann", 9), ("ann", 5), ("ann", 2), ("ann", 2)])

    def test_says_what_answers_that_is_no_service(self) -> None:
        self.will({"status": 418, "headers": {}, "body": "teapot"})
        self.assertEqual(self.failure(self.memory.get_health).code, "no_problem_document")
        self.will(ok("<html>"))
        self.assertIsInstance(self.failure(self.memory.get_health), UnexpectedAnswerError)

    def test_says_so_where_json_of_another_shape_comes(self) -> None:
        pages: list[Callable[[], Any]] = [self.memory.list_memories, lambda: list(self.timing.list_tasks())]
        calls = [self.memory.get_health, lambda: next(iter(self.memory.export_memories())), lambda: self.timing.import_data([{"index": 1}])]
        for body in ([], None, '"text"', 7):
            self.will(ok(body))
            for call in calls + pages:
                self.assertIsInstance(self.failure(call), UnexpectedAnswerError)
        self.will(ok({"memories": None, "next_cursor": None}))
        for call in pages:
            self.assertIsInstance(self.failure(call), UnexpectedAnswerError)

    def test_sends_who_asks_and_encodes_what_stands_in_a_path(self) -> None:
        self.will(ok({}))
        client = TimingClient(f"{self.url}/timing/", agent_id="ann", session_id="s", key="k", traceparent=lambda: "00-a-b-01")
        client.get_summary(task_type="a/b c%", since="2026-01-01T00:00:00+01:00")
        client.get_health(options={"agent_id": "jürgen"})
        client.close()
        first, second = Faulty.seen
        self.assertEqual(first["url"], "/timing/stats/durations/a%2Fb%20c%25?since=2026-01-01T00%3A00%3A00%2B01%3A00")
        self.assertEqual([first["headers"][name] for name in ("X-Agent-ID", "X-Session-ID", "Authorization", "traceparent")], ["ann", "s", "Bearer k", "00-a-b-01"])
        self.assertEqual(second["headers"]["X-Agent-ID"].encode("latin1").decode(), "jürgen")
        for name in ("", ".", ".."):
            self.assertIsInstance(self.failure(lambda name=name: self.memory.delete_memory(id=name)), ValueError)

    def test_an_answer_with_its_headers_is_got_as_the_answer_alone(self) -> None:
        self.will(HALF, {**ok({"memory": {}}), "headers": {"ETag": '"v1"'}})
        self.assertEqual(self.memory.with_response("get_memory", id="x").headers["ETag"], '"v1"')
        self.will(HALF)
        self.assertIsInstance(self.failure(lambda: self.memory.with_response("get_memory", id="x")), ConnectionError)
        self.will(DRIP)
        call = lambda: self.memory.with_response("get_memory", id="x", options={"timeout": 0.1})  # noqa: E731
        self.assertIsInstance(self.failure(call), TimeoutError)

    def test_reads_lines_and_says_when_they_break_off(self) -> None:
        self.will(ok('{"id":"1"}\n\n{"id":"2"}\n{"id":"3"}', "application/x-ndjson"))
        self.assertEqual([line["id"] for line in self.memory.export_memories()], ["1", "2", "3"])
        self.will(HALF)
        self.assertIsInstance(self.failure(lambda: list(self.memory.export_memories())), ConnectionError)

    def test_its_time_is_that_until_a_stream_begins(self) -> None:
        self.will(PAUSE, problem(401))
        stream = self.memory.stream_events(options={"timeout": 0.1})
        self.assertEqual([next(stream).id for _ in range(2)], ["1", "2"])
        stream.close()  # type: ignore[attr-defined]
        self.assertEqual(len(Faulty.seen), 1)

        async def ids() -> list[str]:
            async with AsyncMemoryClient(self.url, runtime=self.runtime) as memory:
                stream = memory.stream_events(options={"timeout": 0.1})
                found = [(await anext(stream)).id for _ in range(2)]
                await stream.aclose()  # type: ignore[attr-defined]
                return found

        self.will(PAUSE, problem(401))
        self.assertEqual(asyncio.run(ids()), ["1", "2"])
        self.assertEqual(len(Faulty.seen), 1)

    def test_says_of_a_page_of_somebody_else_in_place_of_lines_that_it_is_one(self) -> None:
        self.will(ok("<h1>Please log in</h1>", "text/html"))
        self.assertIsInstance(self.failure(lambda: list(self.memory.export_memories())), UnexpectedAnswerError)
        self.will({**ok(""), "status": 204})
        self.assertIsInstance(self.failure(lambda: list(self.memory.export_memories())), UnexpectedAnswerError)

    def test_says_of_what_comes_in_place_of_events_that_it_is_something_else(self) -> None:
        for step in (ok("<h1>Please log in</h1>", "text/html"), ok({"events": []}), ok("data: hello\n\n", "text/event-stream"), {**ok("", "text/event-stream"), "status": 204}):
            self.will(step)
            self.pauses.clear()
            with self.subTest(step=step):
                self.assertIsInstance(self.failure(lambda: next(self.memory.stream_events())), UnexpectedAnswerError)
                self.assertEqual(len(Faulty.seen), 1)

    def test_a_line_ends_with_a_line_feed_alone(self) -> None:
        gist = "one\u2028two\u2029three\x85four"
        line = json.dumps({"gist": gist}, ensure_ascii=False)
        self.will(ok(f"{line}\r\n{line}\n", "application/x-ndjson"))
        self.assertEqual([one["gist"] for one in self.memory.export_memories()], [gist, gist])
        self.will(ok(f"data: {line}\n\n", "text/event-stream"))
        stream = self.memory.stream_events()
        self.assertEqual(next(stream).data, {"gist": gist})
        stream.close()  # type: ignore[attr-defined]

    def test_follows_events_from_the_last_one(self) -> None:
        events = "text/event-stream"
        self.will(ok(': hello\n\nid: 7\nevent: timing\ndata: {"a":\ndata: 1}\n\n', events), CUT, ok('id: 8\r\ndata: {"b":2}\r\n\r\n', events))
        stream = self.timing.stream_events(agent_id="*")
        self.assertEqual([tuple(next(stream)) for _ in range(2)], [("timing", {"a": 1}, "7"), ("message", {"b": 2}, "8")])
        stream.close()  # type: ignore[attr-defined]
        self.assertEqual([one["url"] for one in Faulty.seen], ["/timing/events/stream?agent_id=%2A"] + ["/timing/events/stream?agent_id=%2A&last_event_id=7"] * 2)

    def test_follows_events_from_where_a_stream_began_that_broke_off_before_the_first(self) -> None:
        events = "text/event-stream"
        self.will(ok("id: 5\n: connected\n\nid: 6\nevent: added\n", events), ok('id: 6\nevent: added\ndata: {"a": 1}\n\n', events))
        stream = self.memory.stream_events()
        self.assertEqual(tuple(next(stream)), ("added", {"a": 1}, "6"))
        stream.close()  # type: ignore[attr-defined]
        self.assertEqual([one["url"] for one in Faulty.seen], ["/events/stream", "/events/stream?last_event_id=5"])

    def test_follows_events_for_however_long_a_gateway_answers_in_place_of_the_service(self) -> None:
        def stream(number: int) -> Any:
            return ok(f"id: {number}\nevent: added\ndata: {{}}\n\n", "text/event-stream")

        self.will(stream(1), *[problem(502)] * 20, stream(2))
        events = self.memory.stream_events()
        self.assertEqual([next(events).id for _ in range(2)], ["1", "2"])
        self.assertEqual(Faulty.seen[-1]["url"], "/events/stream?last_event_id=1")
        self.will(problem(401))
        self.assertIsInstance(self.failure(lambda: next(events)), ApiError)
        self.will(problem(503))
        self.assertIsInstance(self.failure(lambda: next(self.memory.stream_events())), UnavailableError)

    def test_sends_lines_in_batches_whose_reports_are_one(self) -> None:
        report = {"received": 500, "imported": 499, "rejected": [{"line": 3, "reason": "x"}]}
        self.will(ok(report), CUT, ok({**report, "redacted": [{"type": "private", "count": 1}]}))
        lines = [{"index": index} if index % 2 == 0 else f'{{"index":{index}}}\n' for index in range(1_000)]
        self.assertEqual(
            self.timing.import_data(lines),
            {
                "received": 1_000,
                "imported": 998,
                "rejected": [{"line": 3, "reason": "x"}, {"line": 503, "reason": "x"}],
                "redacted": [{"type": "private", "count": 1}],
            },
        )
        self.assertEqual([len(one["body"].splitlines()) for one in Faulty.seen], [500, 500, 500])

    def test_sends_half_of_a_surrogate_pair_as_the_services_keep_it(self) -> None:
        self.will(ok({"received": 1, "imported": 1, "rejected": [], "memories": [], "next_cursor": None}))
        cut, whole = "cut \ud83d", "pair \ud83d\ude00"
        self.memory.recall(query=cut)
        self.timing.import_data([{"a": cut}, json.dumps({"a": whole}, ensure_ascii=False)])
        bodies = [one["body"] for one in Faulty.seen]
        self.assertEqual(json.loads(bodies[0])["query"], "cut \ufffd")
        self.memory.list_memories(q=cut, options={"agent_id": cut})
        self.memory.get_memory(id=cut)
        listed, got = Faulty.seen[-2:]
        self.assertEqual((listed["url"], got["url"]), ("/memories?q=cut+%EF%BF%BD", "/memory/cut%20%EF%BF%BD"))
        self.assertEqual(listed["headers"]["X-Agent-ID"].encode("latin1").decode(), "cut \ufffd")
        self.assertEqual([json.loads(line)["a"] for line in bodies[1].splitlines()], ["cut \ufffd", "pair \U0001f600"])

    def test_goes_on_without_a_service_that_is_away(self) -> None:
        self.will(CUT)
        self.assertEqual(self.memory.around([{"role": "user", "content": "Why?"}], lambda messages, _: messages[0]["content"]), "Why?")
        self.assertEqual(self.timing.with_task("build", lambda _: "done"), "done")
        self.assertEqual([type(error) for error in self.problems], [ConnectionError] * 3)

    def test_does_the_same_under_asyncio(self) -> None:
        async def calls() -> list[Any]:
            async with AsyncMemoryClient(self.url, runtime=self.runtime) as memory:
                self.will(CUT, problem(503), ok({"status": "ok"}))
                health = await memory.get_health()
                self.will(ok('{"id":"1"}\n{"id":"2"}\n', "application/x-ndjson"))
                lines = [line["id"] async for line in memory.export_memories()]
                self.will(CUT)
                with self.assertRaises(ConnectionError):
                    await memory.consolidate()
                return [health, lines, len(Faulty.seen)]

        self.assertEqual(asyncio.run(calls()), [{"status": "ok"}, ["1", "2"], 1])


if __name__ == "__main__":
    unittest.main()
