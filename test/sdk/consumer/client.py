"""Uses the Python client as others would: client.py <url> <packed transaction as JSON>."""

import json
import sys

from pronghorn_client import Client
from pronghorn_client.api.chain import get_account, get_info, get_table_rows, send_transaction2
from pronghorn_client.models import (
    Account,
    ChainInfo,
    Failure,
    GetAccountRequest,
    GetTableRowsRequest,
    GetTableRowsResult,
    PackedTransaction,
    SendTransaction2Request,
    TransactionReceiptHeader,
    TransactionResult,
)

url, packed = sys.argv[1:]

with Client(base_url=url) as client:
    info = get_info.sync(client=client)
    account = get_account.sync(client=client, body=GetAccountRequest(account_name="alice"))
    nobody = get_account.sync(client=client, body=GetAccountRequest(account_name="nobody"))
    table = GetTableRowsRequest(
        code="eosio.token", scope="alice", table="accounts", json=True, limit=1
    )
    rows = get_table_rows.sync(client=client, body=table)
    transaction = PackedTransaction.from_dict(json.loads(packed))
    body = SendTransaction2Request(transaction=transaction)
    sent = send_transaction2.sync(client=client, body=body)
    again = send_transaction2.sync(client=client, body=body, prefer="return=minimal")

assert isinstance(info, ChainInfo)
assert isinstance(account, Account)
assert isinstance(nobody, Failure)
assert isinstance(rows, GetTableRowsResult)
assert isinstance(sent, TransactionResult)
assert isinstance(sent.processed.receipt, TransactionReceiptHeader)
assert isinstance(again, Failure)
print(
    json.dumps(
        {
            "head": info.head_block_num,
            "account": account.account_name,
            "nobody": nobody.error.name,
            "rows": rows.rows,
            "sent": sent.transaction_id,
            "status": sent.processed.receipt.status,
            "again": again.error.name,
        }
    )
)
