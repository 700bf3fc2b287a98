"""Drives an A2A host with the official Python client and prints what it saw as one JSON object.

usage: drive.py BASE_URL BINDING, where BINDING is JSONRPC, HTTP+JSON or GRPC
"""

import asyncio
import json
import sys
import uuid

import grpc
from a2a.client.client import ClientConfig
from a2a.client.client_factory import ClientFactory
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import A2AError
from google.protobuf.json_format import MessageToDict, ParseDict

NEVER_SEEN = str(uuid.uuid4())


def say(text, configuration=None, **extras):
    message = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [{"text": text}], **extras}
    return ParseDict({"message": message, "configuration": configuration or {}}, pb.SendMessageRequest())


def connect(url, binding, streaming, card_path=None):
    config = ClientConfig(
        streaming=streaming,
        supported_protocol_bindings=[binding],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    return ClientFactory(config).create_from_url(url, relative_card_path=card_path)


async def collect(stream):
    return [MessageToDict(item) async for item in stream]


async def error_of(call):
    try:
        await call
    except A2AError as error:
        return type(error).__name__
    return "no error"


class Driver:
    """One method a claim; each returns what the test then looks at."""

    def __init__(self, client, blocking):
        self.client = client
        self.blocking = blocking

    async def _send(self, *args, **kwargs):
        [answer] = await collect(self.blocking.send_message(say(*args, **kwargs)))
        return answer

    async def _task(self, *args, **kwargs):
        return (await self._send(*args, **kwargs))["task"]

    async def message(self):
        return await self._send("/echo hello")

    async def task(self):
        return await self._send("/task")

    async def parts(self):
        parts = [
            {"text": "ż"},
            {"raw": "AP/+", "mediaType": "application/octet-stream"},
            {"url": "https://a.example/x", "mediaType": "text/plain"},
            {"data": {"n": [1.5, None, True]}},
        ]
        return (await self._task("", parts=parts))["history"][0]["parts"]

    async def stream(self):
        return await collect(self.client.send_message(say("/stream n=10 bytes=20")))

    async def question(self):
        asked = await self._task("/ask")
        answered = await self._task("an answer", taskId=asked["id"], contextId=asked["contextId"])
        return [asked, answered]

    async def reading(self):
        task = await self._task("/task")
        full = await self.client.get_task(pb.GetTaskRequest(id=task["id"]))
        bare = await self.client.get_task(pb.GetTaskRequest(id=task["id"], history_length=0))
        return [len(full.history), len(bare.history)]

    async def pages(self):
        context_id = str(uuid.uuid4())
        made = [(await self._task("/task", contextId=context_id))["id"] for _ in range(5)]
        seen, token = [], ""
        while True:
            page = await self.client.list_tasks(pb.ListTasksRequest(context_id=context_id, page_size=2, page_token=token))
            seen += [task.id for task in page.tasks]
            token = page.next_page_token
            if not token:
                return {"newestFirst": seen == made[::-1], "total": page.total_size}

    async def cancellation(self):
        task = await self._task("/sleep ms=60000", configuration={"returnImmediately": True})
        reading = self.client.subscribe(pb.SubscribeToTaskRequest(id=task["id"]))
        items = [MessageToDict(await anext(reading))]
        await self.client.cancel_task(pb.CancelTaskRequest(id=task["id"]))
        return items + await collect(reading)

    async def errors(self):
        done = (await self._task("/task"))["id"]
        parts = [{"text": "x", "mediaType": "application/x-nobody"}]
        return {
            "unknown task": await error_of(self.client.get_task(pb.GetTaskRequest(id=NEVER_SEEN))),
            "cancel what is done": await error_of(self.client.cancel_task(pb.CancelTaskRequest(id=done))),
            "send to what is done": await error_of(self._send("more", taskId=done)),
            "stream to what is done": await error_of(collect(self.client.send_message(say("more", taskId=done)))),
            "subscribe to what is done": await error_of(collect(self.client.subscribe(pb.SubscribeToTaskRequest(id=done)))),
            "content type": await error_of(self._send("", parts=parts)),
            "page size": await error_of(self.client.list_tasks(pb.ListTasksRequest(page_size=0))),
        }

    async def webhooks(self):
        task = await self._task("/ask")
        ids = {"task_id": task["id"], "id": "config"}
        create = pb.TaskPushNotificationConfig(url="https://example.com/hook", token="mine", **ids)
        made = await self.client.create_task_push_notification_config(create)
        read = await self.client.get_task_push_notification_config(pb.GetTaskPushNotificationConfigRequest(**ids))
        listed = await self.client.list_task_push_notification_configs(
            pb.ListTaskPushNotificationConfigsRequest(task_id=task["id"])
        )
        await self.client.delete_task_push_notification_config(pb.DeleteTaskPushNotificationConfigRequest(**ids))
        return {
            "made": [made.id, made.token],
            "read": [read.id, read.token],
            "listed": [config.id for config in listed.configs],
            "after delete": await error_of(
                self.client.get_task_push_notification_config(pb.GetTaskPushNotificationConfigRequest(**ids))
            ),
        }


CLAIMS = [name for name in vars(Driver) if not name.startswith("_")]


async def main(url, binding):
    results = {}
    async with await connect(url, binding, streaming=True) as client, await connect(url, binding, streaming=False) as blocking:
        driver = Driver(client, blocking)
        for claim in CLAIMS:
            try:
                results[claim] = await getattr(driver, claim)()
            except Exception as error:  # a claim that breaks must not hide the others
                results[claim] = {"broken": f"{type(error).__name__}: {error}"}
    async with await connect(url, binding, False, "/agents/echo/.well-known/agent-card.json") as echo:
        results["echo"] = await collect(echo.send_message(say("to the echo agent")))
    print(json.dumps(results))


asyncio.run(main(sys.argv[1], sys.argv[2]))
