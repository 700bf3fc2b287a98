"""Verifies the card of an agent with the official Python SDK and the keys that its host publishes.

usage: verify_card.py BASE_URL AGENT_ID; prints "verified", or fails
"""

import json
import sys
import urllib.request

import jwt
from a2a.types import a2a_pb2 as pb
from a2a.utils.signing import create_signature_verifier
from google.protobuf.json_format import ParseDict


def fetch(url):
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


base, agent = sys.argv[1:]
keys = {key["kid"]: jwt.PyJWK(key) for key in fetch(f"{base}/.well-known/jwks.json")["keys"]}
card = ParseDict(fetch(f"{base}/agents/{agent}/.well-known/agent-card.json"), pb.AgentCard())
verify = create_signature_verifier(lambda kid, jku: keys[kid], ["ES256", "ES384"])
verify(card)
print("verified")
