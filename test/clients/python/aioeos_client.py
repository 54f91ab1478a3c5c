"""aioeos: asynchronous, numeric compression, no status codes. Arguments: URL, private key."""
import asyncio
import json
import sys

from aioeos import EosJsonRpc, EosKey, EosTransaction
from aioeos.types import EosAction, EosPermissionLevel
from aioeos.exceptions import EosAssertMessageException

URL, KEY = sys.argv[1:]


def transfer(quantity):
    """alice to bob, packed by hand: the client would ask for abi_json_to_bin, which is gone."""
    data = bytes.fromhex('0000000000855c340000000000000e3d')
    data += quantity.to_bytes(8, 'little') + bytes([4]) + b'SYS\0\0\0\0' + bytes([6]) + b'aioeos'
    permission = EosPermissionLevel(actor='alice', permission='active')
    return EosAction(account='eosio.token', name='transfer', authorization=[permission], data=data)


async def main():
    rpc = EosJsonRpc(url=URL)
    block = await rpc.get_head_block()
    reads = {
        'account': (await rpc.get_account('alice'))['account_name'],
        'abi': (await rpc.get_abi('eosio.token'))['abi']['version'],
        'raw_abi': len((await rpc.get_raw_abi('eosio.token'))['abi']),
        'code': (await rpc.get_code('eosio.token'))['account_name'],
        'header': (await rpc.get_block_header_state(block['block_num']))['id'] == block['id'],
        'stats': await rpc.get_currency_stats('eosio.token', 'SYS'),
        'scopes': len((await rpc.get_table_by_scope('eosio.token', 'accounts'))['rows']),
        'schedule': (await rpc.get_producer_schedule())['active']['version'],
        'producers': [row['owner'] for row in (await rpc.get_producers())['rows']],
    }
    key = EosKey(private_key=KEY)

    async def push(quantity):
        transaction = EosTransaction(
            ref_block_num=block['block_num'] & 0xffff,
            ref_block_prefix=block['ref_block_prefix'],
            actions=[transfer(quantity)],
        )
        return await rpc.sign_and_push_transaction(transaction, keys=[key])

    pushed = await push(1000)
    try:
        await push(10 ** 15)
        refused = None
    except EosAssertMessageException as error:
        refused = str(error)
    print(json.dumps({
        **reads,
        'pushed': pushed['processed']['receipt']['status'],
        'refused': refused,
        'rows': (await rpc.get_table_rows('eosio.token', 'bob', 'accounts'))['rows'],
    }))


asyncio.run(main())
