"""Calls the protected billing agent with the official Python client and a token of its OAuth server; prints what it saw as JSON.

usage: call_protected.py BASE_URL BINDING TOKEN_URL RESOURCE CLIENT_ID CLIENT_SECRET
"""

import asyncio
import json
import sys
import uuid

import grpc
import httpx
from a2a.client.client import ClientCallContext, ClientConfig
from a2a.client.client_factory import ClientFactory
from a2a.types import a2a_pb2 as pb
from google.protobuf.json_format import MessageToDict, ParseDict

base, binding, token_url, resource, client_id, secret = sys.argv[1:]
tenant = "billing/acme" if binding == "GRPC" else "acme"


def say(text):
    message = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [{"text": text}]}
    return ParseDict({"message": message, "tenant": tenant}, pb.SendMessageRequest())


def fetch_token():
    form = {"grant_type": "client_credentials", "resource": resource, "scope": "a2a.send a2a.read"}
    return httpx.post(token_url, data=form, auth=(client_id, secret)).json()["access_token"]


async def send(client, context=None):
    [answer] = [MessageToDict(item) async for item in client.send_message(say("What did we pay?"), context=context)]
    return answer["task"]


async def main():
    config = ClientConfig(
        streaming=False,
        supported_protocol_bindings=[binding],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    client = await ClientFactory(config).create_from_url(base, relative_card_path="/agents/billing/.well-known/agent-card.json")
    try:
        await send(client)
        refused = False
    except Exception:
        refused = True
    context = ClientCallContext(service_parameters={"authorization": f"Bearer {fetch_token()}"})
    task = await send(client, context)
    data = task["artifacts"][0]["parts"][0]["data"]
    invoices = [invoice["number"] for invoice in data["invoices"]]
    print(json.dumps({"refused": refused, "state": task["status"]["state"], "invoices": invoices}))


asyncio.run(main())
