"""libeospy: pushes transactions that are not packed. Arguments: URL, private key."""
import datetime
import json
import sys

import eospy.cleos
import eospy.keys
import pytz
import requests

URL, KEY = sys.argv[1:]
cleos = eospy.cleos.Cleos(url=URL)


def transfer(quantity):
    """alice to bob, packed by hand: the client would ask for abi_json_to_bin, which is gone."""
    data = bytes.fromhex('0000000000855c340000000000000e3d')
    data += quantity.to_bytes(8, 'little') + bytes([4]) + b'SYS\0\0\0\0' + bytes([5]) + b'eospy'
    return {
        'account': 'eosio.token',
        'name': 'transfer',
        'authorization': [{'actor': 'alice', 'permission': 'active'}],
        'data': data.hex(),
    }


def push(quantity):
    soon = datetime.datetime.utcnow() + datetime.timedelta(seconds=60)
    transaction = {
        'actions': [transfer(quantity)],
        'expiration': str(soon.replace(tzinfo=pytz.UTC)),
    }
    return cleos.push_transaction(transaction, eospy.keys.EOSKey(KEY))


info = cleos.get_info()
pushed = push(2000)
try:
    push(10 ** 15)
    refused = None
except requests.exceptions.HTTPError as error:
    refused = str(error)
print(json.dumps({
    'head': cleos.get_block(info['head_block_num'])['block_num'] == info['head_block_num'],
    'account': cleos.get_account('alice')['account_name'],
    'abi': cleos.get_abi('eosio.token')['abi']['version'],
    'raw_abi': cleos.get_raw_abi('eosio.token')['account_name'],
    'code': cleos.get_code('eosio.token')['account_name'],
    'stats': cleos.get_currency('eosio.token', 'SYS'),
    'rows': cleos.get_table('eosio.token', 'bob', 'accounts'),
    'producers': [row['owner'] for row in cleos.get_producers()['rows']],
    'pushed': pushed['processed']['receipt']['status'],
    'refused': refused,
    'balance': cleos.get_currency_balance('bob', 'eosio.token', 'SYS'),
}))
