"""What the checks of schemathesis cannot know of a chain."""

import re

import requests
import schemathesis
from schemathesis import GenerationMode

# Errors of the chain have the numbers of its table; anything below is a fault of the node.
CHAIN_ERRORS = 3_000_000
INT64 = range(-(2**63), 2**64)
GO_ON = {"max_irreversible_block_age": -1, "max_transaction_time": 499}

# What no schema can say, by operation: rules that a request can break which is right by the contract.
CHECKSUM = r"datastream|bin\.size\(\) == |checksum"
# Of two items the first is a number and the second is not, but hexadecimal: OpenAPI 3.0 has no tuples.
TUPLE = r"Couldn't parse uint64_t|Invalid cast from (type 'uint64_type' to string|object_type to uint64)|Invalid hex character|length of hex string"
# Texts of digits may be longer than their field is wide: test/contract/widths.test.ts has each field.
WIDTH = r"does not fit in \d+ bits"
TIME = "unable to convert ISO-formatted string|Time is out of range"
UNSAID = {
    "advance_time": TIME,
    "create_account": rf"{CHECKSUM}|the ABI cannot be read",
    "get_accounts_by_authorizers": rf"{CHECKSUM}|is no bound",
    "get_required_keys": CHECKSUM,
    "get_table_rows": "next_page",
    # Data may be anything, but only beside hex_data.
    "get_transaction_id": rf"{TUPLE}|{TIME}|un-exploded 'data'",
    "mine_blocks": TIME,
    "push_block": rf"{TUPLE}|{CHECKSUM}|{TIME}",
    "set_authority": CHECKSUM,
    "set_balance": "Integer Overflow|asset|amount|precision|symbol",
    "set_whitelist_blacklist": CHECKSUM,
}


def error_of(response):
    return response.json().get("error", {}) if response.status_code >= 400 else {}


def is_right(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


@schemathesis.check
def errors_are_of_the_chain(ctx, response, case):
    """A failure of the node itself is none of the documented errors."""
    if response.status_code == 500:
        code = error_of(response)["code"]
        assert code >= CHAIN_ERRORS, f"the node failed: {response.text}"


@schemathesis.check
def right_requests_are_understood(ctx, response, case):
    """What the contract allows is never refused as malformed, but for what no schema can say."""
    error = error_of(response)
    if not is_right(case) or error.get("name") != "invalid_http_request":
        return
    story = " ".join(detail["message"] for detail in error["details"])
    unsaid = UNSAID.get(case.path.rsplit("/", 1)[1], WIDTH)
    assert re.search(f"{WIDTH}|{unsaid}", story), f"refused as malformed: {response.text}"


@schemathesis.check
def wrong_transactions_are_refused(ctx, response, case):
    """One of the transactions of a wrong list is."""
    if is_right(case) or response.status_code != 202 or not case.path.endswith("/push_transactions"):
        return
    answers = response.json()
    assert answers is None or any("error" in answer["processed"] for answer in answers), response.text


def has(value, wrong):
    """Whether something within a JSON value is wrong."""
    if isinstance(value, dict):
        return any(has(item, wrong) for item in value.values())
    if isinstance(value, list):
        return any(has(item, wrong) for item in value)
    return wrong(value)


def is_long(value):
    """Integers beyond 64 bits are refused everywhere, in fields that nobody knows too; a schema
    can say so of the fields that it names alone."""
    return isinstance(value, int) and value not in INT64


def is_whole_float(value):
    """In JSON 1.0 and 1 are one number; schemathesis takes the former for no integer. Python writes
    long floats as integers too."""
    return isinstance(value, float) and value.is_integer()


def is_blank(body):
    """White space alone is no body, which is no broken one."""
    return isinstance(body, bytes) and not body.strip(b" \t\r\n")


@schemathesis.hook
def filter_case(ctx, case):
    return not (has(case.body, is_long) or has(case.body, is_whole_float) or is_blank(case.body))


def continue_development(operations):
    """Blocks are made again, and become irreversible."""
    controls = requests.post(f"{operations}/get_controls", json={}, timeout=60).json()
    for checkpoint in controls.get("checkpoints", []):
        requests.post(f"{operations}/drop_checkpoint", json=checkpoint, timeout=60)
    if controls.get("production_mode", "interval") != "interval":
        requests.post(f"{operations}/set_production_mode", json={"mode": "interval"}, timeout=60)


@schemathesis.hook
def after_call(ctx, case, response):
    """A node that was paused, or takes its chain for stale, makes no blocks, for which others wait."""
    node = f"{response.request.url.split('/v1/')[0]}/v1"
    if case.path.startswith("/v1/dev/"):
        continue_development(f"{node}/dev")
    if not case.path.endswith(("/pause", "/pause_at_block", "/update_runtime_options")):
        return
    operations = f"{node}/producer"
    requests.post(f"{operations}/pause_at_block", json={"block_num": 0}, timeout=60)
    requests.post(f"{operations}/resume", json={}, timeout=60)
    requests.post(f"{operations}/update_runtime_options", json=GO_ON, timeout=60)
