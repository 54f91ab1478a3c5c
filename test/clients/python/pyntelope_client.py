"""pyntelope: typed actions, packed by the client. Arguments: URL, private key."""
import json
import sys

import pyntelope

URL, KEY = sys.argv[1:]
net = pyntelope.Net(host=URL)


def push(quantity):
    data = [
        pyntelope.Data(name='from', value=pyntelope.types.Name('alice')),
        pyntelope.Data(name='to', value=pyntelope.types.Name('bob')),
        pyntelope.Data(name='quantity', value=pyntelope.types.Asset(quantity)),
        pyntelope.Data(name='memo', value=pyntelope.types.String('pyntelope')),
    ]
    authorization = [pyntelope.Authorization(actor='alice', permission='active')]
    action = pyntelope.Action(
        account='eosio.token', name='transfer', data=data, authorization=authorization
    )
    transaction = pyntelope.Transaction(actions=[action])
    return transaction.link(net=net).sign(key=KEY).send()


info = net.get_info()
pushed = push('0.3000 SYS')
refused = push('99999999.0000 SYS')
print(json.dumps({
    'head': net.get_block(block_num_or_id=info['head_block_num'])['block_num'] == info['head_block_num'],
    'account': net.get_account(account_name='alice')['account_name'],
    'abi': net.get_abi(account_name='eosio.token')['abi']['version'],
    'block_info': net.get_block_info(block_num=1)['block_num'],
    'rows': net.get_table_rows(code='eosio.token', scope='bob', table='accounts'),
    'pushed': pushed['processed']['receipt']['status'],
    'refused': refused['error']['details'][0]['message'],
}))
