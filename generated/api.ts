// Generated from openapi/ by `make codegen`. Do not edit.
export interface paths {
    "/v1/chain/get_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_info by GET
         * @description The same as a POST of `get_info` with an empty body.
         */
        get: operations["get_info_by_get"];
        put?: never;
        /**
         * get_info: state of the chain and of the node
         * @description Returns the newest and the newest final block, the identity of the chain, the limits of a
         *     block and the version of the node. Every address of the node serves it, also
         *     while blocks are applied.
         *
         *     It has no errors of its own.
         */
        post: operations["get_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_account: account with its resources and permissions
         * @description Returns the resources of an account (RAM, NET and CPU), its permissions with the actions
         *     linked to them, and its rows in the tables of the system contract, if there is one.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist.
         */
        post: operations["get_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_block: block with its transactions decoded
         * @description Returns a block by number or id, its actions decoded with the present ABIs of their
         *     contracts. Where an ABI does not fit, the arguments stay hexadecimal.
         *
         *     Errors: 400 `unknown_block_exception` for a block that is not there, 500
         *     `block_id_type_exception` for a text that is neither a number nor an id.
         */
        post: operations["get_block"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_block_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_block_info: fixed-size part of a block
         * @description Returns the header of a block by number, without extensions and transactions, as clients
         *     need it to refer to a recent block.
         *
         *     Errors: 400 `unknown_block_exception` for a block that is not there.
         */
        post: operations["get_block_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_block_header_state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_block_header_state: header of a block in its former form
         * @description Returns the header of a block among fields of former versions of the chain, which are
         *     empty. It is kept for clients that read a header from it; use get_block_header or
         *     get_block_info.
         *
         *     Errors: 400 `unknown_block_exception` for a block that is not there, 500
         *     `block_id_type_exception` for a text that is neither a number nor an id.
         */
        post: operations["get_block_header_state"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_block_header": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_block_header: header of a block
         * @description Returns the header of a block with its extensions as bytes. With `include_extensions` the
         *     extensions of the block are answered too, for which the whole block is read.
         *
         *     Errors: 400 `unknown_block_exception` for a block that is not there, 500
         *     `block_id_type_exception` for a text that is neither a number nor an id.
         */
        post: operations["get_block_header"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_raw_block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_raw_block: block as it is stored
         * @description Returns a block with nothing decoded: headers, extensions and packed transactions.
         *
         *     Errors: 400 `unknown_block_exception` for a block that is not there, 500
         *     `block_id_type_exception` for a text that is neither a number nor an id.
         */
        post: operations["get_raw_block"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_code: code of a contract as WebAssembly
         * @description Returns the code of an account with its digest and its ABI. The code is a text
         *     without the bytes that are not UTF-8; get_raw_code_and_abi returns the whole code in base64.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist, 500
         *     `unsupported_feature` when `code_as_wasm` is 0.
         */
        post: operations["get_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_code_hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_code_hash by GET
         * @description The same as a POST of `get_code_hash` with an empty body.
         */
        get: operations["get_code_hash_by_get"];
        put?: never;
        /**
         * get_code_hash: digest of the code of a contract
         * @description Returns the SHA-256 of the code of an account, zero when it has none.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist; without a name
         *     the answer is the same.
         */
        post: operations["get_code_hash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_abi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_abi: ABI of a contract
         * @description Returns the ABI of an account as JSON. If the account has no ABI, the field `abi` is
         *     absent.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist.
         */
        post: operations["get_abi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_raw_code_and_abi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_raw_code_and_abi: code and ABI of a contract in base64
         * @description Returns the code and the packed ABI of an account; both are empty when it has none.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist.
         */
        post: operations["get_raw_code_and_abi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_raw_abi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_raw_abi: packed ABI of a contract in base64
         * @description Returns the packed ABI of an account with the digests of code and ABI. A caller that names
         *     the digest of an ABI it has gets the ABI only when it changed.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist.
         */
        post: operations["get_raw_abi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_table_rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_table_rows: rows of a table of a contract
         * @description Returns the rows of a table in a scope, ordered by its primary key or by one of its
         *     secondary indices, between two inclusive bounds.
         *
         *     A page holds `limit` rows, or fewer when the answer gets too long to make. When there are more
         *     rows, `more` is true and the same request with the answer's `next_page` gets the next page:
         *     following it neither repeats nor loses a row. `next_key` is the key of the first row
         *     that is not in the page, for clients that use it as the next bound. It is the reference's,
         *     with its limits.
         *
         *     Errors: 400 `account_query_exception` for an account that does not exist, 400
         *     `invalid_http_request` for a `next_page` that belongs to another request, 500
         *     `unsupported_abi_version_exception` for an index of one without an ABI, 500
         *     `contract_table_query_exception` for a table that its ABI does not name or an index that
         *     there cannot be, 500 `chain_type_exception` for a scope or a bound that is not a key.
         */
        post: operations["get_table_rows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_table_by_scope": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_table_by_scope: tables of a contract by scope
         * @description Returns which tables a contract has in which scopes, with their number of rows and who
         *     pays for them. A client that continues from `more` reaches the end.
         *
         *     Errors: 500 `chain_type_exception` for a bound that is not a scope. A contract that does not
         *     exist has no tables.
         */
        post: operations["get_table_by_scope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_currency_balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_currency_balance: balances of an account
         * @description Returns the amounts that an account has of the tokens of a contract, read from its table
         *     `accounts`. An account without any, or that does not exist, has an empty list.
         *
         *     Errors: 400 `account_query_exception` for a contract that does not exist, 500
         *     `contract_table_query_exception` when its ABI has no table `accounts`.
         */
        post: operations["get_currency_balance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_currency_stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_currency_stats: supply and issuer of a token
         * @description Returns the supply, the greatest supply and the issuer of a token of a contract, read from
         *     its table `stat`. A token that does not exist is answered with an empty object.
         *
         *     Errors: 400 `account_query_exception` for a contract that does not exist, 500
         *     `contract_table_query_exception` when its ABI has no table `stat`, and
         *     `symbol_type_exception` for a symbol that is none.
         */
        post: operations["get_currency_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_required_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_required_keys: keys that must sign a transaction
         * @description Returns which of the given keys are needed to authorize a transaction, by the present state
         *     of its authorities. The arguments of its actions may be hexadecimal or JSON.
         *
         *     Errors:
         *
         *     - 401 `unsatisfied_authorization`: the keys do not suffice
         *     - 500 `packed_transaction_type_exception`: an action without arguments, or with some although
         *       the ABI of its contract knows no such action
         *     - what the ABI of a contract refuses, such as 500 `pack_exception` for arguments without a field
         *       and 500 `name_type_exception` for one that is not a name
         *     - 500 `transaction_type_exception`: any other transaction that cannot be packed
         */
        post: operations["get_required_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_producers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_producers: producers and their votes
         * @description Returns the producers of the system contract, those with the most votes first, or the
         *     active schedule when there is no such contract.
         *
         *     The specification requires `limit`, `lower_bound` and `json`, and so does the node.
         *
         *     Errors: 500 `contract_table_query_exception` when the tables of the system contract are
         *     not as they should be.
         */
        post: operations["get_producers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_producer_schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_producer_schedule by GET
         * @description The same as a POST of `get_producer_schedule` with an empty body.
         */
        get: operations["get_producer_schedule_by_get"];
        put?: never;
        /**
         * get_producer_schedule: producer schedules
         * @description Returns the schedule in force, the one that takes effect next and the one that was
         *     proposed.
         *
         *     It has no errors of its own.
         */
        post: operations["get_producer_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_scheduled_transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_scheduled_transactions: deferred transactions
         * @description Returns the transactions that wait for their time, the earliest first. There are none once
         *     the chain disabled deferred transactions.
         *
         *     The specification requires `json`, and so does the node.
         *
         *     It has no errors of its own.
         */
        post: operations["get_scheduled_transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_transaction_id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_transaction_id: id of a transaction
         * @description Returns the id of a transaction, which is the digest of its packed form. The arguments of
         *     its actions must be hexadecimal, in `hex_data` or `data`.
         *
         *     Errors: 400 `invalid_http_request` for arguments that are not hexadecimal, 500
         *     `name_type_exception` for a name that is none.
         */
        post: operations["get_transaction_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_activated_protocol_features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_activated_protocol_features by GET
         * @description The same as a POST of `get_activated_protocol_features` with an empty body.
         */
        get: operations["get_activated_protocol_features_by_get"];
        put?: never;
        /**
         * get_activated_protocol_features: protocol features that are active
         * @description Returns the protocol features that the chain activated, in order of activation, filtered
         *     by ordinal or by block.
         *
         *     It has no errors of its own.
         */
        post: operations["get_activated_protocol_features"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_consensus_parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_consensus_parameters by GET
         * @description The same as a POST of `get_consensus_parameters` with an empty body.
         */
        get: operations["get_consensus_parameters_by_get"];
        put?: never;
        /**
         * get_consensus_parameters: parameters of the chain
         * @description Returns the limits that blocks, transactions and the code of contracts obey. They are set
         *     by the producers through the system contract.
         *
         *     It has no errors of its own.
         */
        post: operations["get_consensus_parameters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_finalizer_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_finalizer_info by GET
         * @description The same as a POST of `get_finalizer_info` with an empty body.
         */
        get: operations["get_finalizer_info_by_get"];
        put?: never;
        /**
         * get_finalizer_info: finalizer policies and last votes
         * @description Returns the policy whose votes make blocks final, the one that takes effect next, and the
         *     last vote of each finalizer that the node saw. Before instant finality both policies are
         *     null.
         *
         *     It has no errors of its own.
         */
        post: operations["get_finalizer_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_transaction_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_transaction_status: status of a transaction
         * @description Returns whether a transaction is in a block and whether that block is final. The status is
         *     correct as soon as the submission has been answered.
         *
         *     The node remembers transactions for a while after they became final or failed, within the
         *     storage that `transaction-finality-status-max-storage-size-gb` allows. An operator can
         *     switch that off.
         *
         *     Errors: 400 `invalid_http_request` for an id of which the node can know nothing, such as
         *     zeros, 500 `plugin_config_exception` when it is switched off.
         */
        post: operations["get_transaction_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/get_accounts_by_authorizers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_accounts_by_authorizers: accounts that keys and accounts can act for
         * @description Returns every permission whose authority names one of the accounts or keys directly. An
         *     account without a permission stands for all of its permissions. Changes by transactions of
         *     the pending block are included.
         *
         *     A page has at most `limit` rows. When there are more, `more` says where the next page
         *     begins.
         *
         *     It is an operation beyond the specification. An operator can switch it off
         *     (`enable-account-queries`).
         *
         *     Errors: 500 `plugin_config_exception` when it is switched off.
         */
        post: operations["get_accounts_by_authorizers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/push_transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * push_transaction: submit a transaction, traces nested
         * @description Executes a signed transaction, puts it into the next block and returns its trace; the
         *     traces of inline actions are nested in those that caused them. A transaction that fails
         *     changes nothing and gets an error as its response.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors:
         *
         *     - 500 `packed_transaction_type_exception`: the data are not a transaction
         *     - 409 `tx_duplicate`: it is known already
         *     - 500 `expired_tx_exception`: its time has passed
         *     - 500 `invalid_ref_block_exception`: it refers to a block of another branch
         *     - 401 `unsatisfied_authorization`: signatures are missing
         *     - 500 `tx_irrelevant_sig`: there are more signatures than needed
         *     - what its actions fail with, such as 500 `eosio_assert_message_exception`
         */
        post: operations["push_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/send_transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * send_transaction: submit a transaction, traces flat
         * @description Executes a signed transaction, puts it into the next block and returns its trace; all
         *     action traces are in one list in the order of execution. A transaction that fails changes
         *     nothing and gets an error as its response.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors:
         *
         *     - 500 `packed_transaction_type_exception`: the data are not a transaction
         *     - 409 `tx_duplicate`: it is known already
         *     - 500 `expired_tx_exception`: its time has passed
         *     - 500 `invalid_ref_block_exception`: it refers to a block of another branch
         *     - 401 `unsatisfied_authorization`: signatures are missing
         *     - 500 `tx_irrelevant_sig`: there are more signatures than needed
         *     - what its actions fail with, such as 500 `eosio_assert_message_exception`
         */
        post: operations["send_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/send_transaction2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * send_transaction2: submit a transaction with failure trace and retry
         * @description Executes a signed transaction, puts it into the next block and returns its trace.
         *
         *     With `return_failure_trace` (the default) a transaction that fails is answered with 202
         *     and its trace: a trace by itself does not mean success, its `receipt` and `except` decide.
         *     Without it the failure is an error.
         *
         *     With `retry_trx` the node submits the transaction to its peers again until its block has
         *     `retry_trx_num_blocks` blocks on top of it, or, when that is absent, until it is
         *     irreversible, or until it expires, and answers only then. The node must have retry
         *     enabled; a transaction whose expiration is too far ahead is refused. A failure is never
         *     reported for a transaction that is in a block.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors, those with a star only without `return_failure_trace`:
         *
         *     - 500 `packed_transaction_type_exception`: the data are not a transaction
         *     - 409 `tx_duplicate`: it is known already
         *     - 500 `expired_tx_exception`: its time has passed
         *     - 500 `invalid_ref_block_exception`*: it refers to a block of another branch
         *     - 401 `unsatisfied_authorization`*: signatures are missing
         *     - 500 `tx_irrelevant_sig`*: there are more signatures than needed
         *     - what its actions fail with, such as 500 `eosio_assert_message_exception`*
         *     - 500 `tx_exp_too_far_exception`: with `retry_trx`, its expiration is further ahead than
         *       `transaction-retry-max-expiration-sec`
         */
        post: operations["send_transaction2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/push_transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * push_transactions: submit several transactions
         * @description Executes transactions one after the other, packed or not, and returns a result for each in its place.
         *     One that fails is answered with the text of its error and an id of zeros and does not stop
         *     the others. So is one that is not as described here, such as one with `null` among its
         *     context-free data: the status is 202 all the same. If one is not an object, the whole request is
         *     refused. At most 1000 are taken at once.
         *
         *     A transaction that is not packed is packed with the ABIs of its contracts.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors: 500 `too_many_tx_at_once` for more than 1000.
         */
        post: operations["push_transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/push_block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * push_block: submit a block
         * @description Takes a block in the form that get_raw_block returns, checks it and adds it to the chain
         *     as if a peer had sent it. A block that is already known is accepted and changes nothing.
         *
         *     It is an operation beyond the specification.
         *
         *     Errors: 500 `unlinkable_block_exception` when its predecessor is not known, 500
         *     `wrong_signing_key` when it is not signed by its producer, 500 `block_validate_exception`
         *     when its results differ from its header; and the others of the chain about blocks.
         */
        post: operations["push_block"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/compute_transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * compute_transaction: execute a transaction and revert it
         * @description Executes a transaction, returns its trace with the resources that it used, and reverts all
         *     of its changes. Signatures are read, but a missing or wrong signature is not an error. The
         *     node does not count a failure against the account. The trace is returned for a transaction
         *     that fails, too.
         *
         *     It costs the node as much as a real transaction and the caller nothing: throttle it where
         *     it is exposed.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors, all of transactions that are not executed:
         *
         *     - 500 `packed_transaction_type_exception`: the data are not a transaction
         *     - 500 `transaction_exception`: it is to be delayed
         *     - 500 `tx_duplicate_sig`: two of its signatures are of one key
         *     - 500 `sig_variable_size_limit_exception`: a WebAuthn signature is longer than the node's option
         *       `maximum-variable-signature-length` lets it be
         *     - 503 when more are asked for in a second than `max-compute-transactions-per-second`
         */
        post: operations["compute_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chain/send_read_only_transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * send_read_only_transaction: execute a transaction that only reads
         * @description Executes a transaction that is not meant for the chain and returns its trace with the
         *     values that its actions returned. It needs no signature, and none is looked at; its actions
         *     must have no authorization. An action that would change the state fails. A transaction that fails is
         *     answered with 200 and its trace, whose `except` tells why.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors, all of transactions that are not executed:
         *
         *     - 500 `packed_transaction_type_exception`: the data are not a transaction
         *     - 500 `transaction_exception`: it is to be delayed
         */
        post: operations["send_read_only_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * paused by GET
         * @description The same as a POST of `paused` with an empty body.
         */
        get: operations["paused_by_get"];
        put?: never;
        /**
         * paused: whether production is paused
         * @description Returns whether block production is paused: by pause, because the block of pause_at_block
         *     was reached, or because votes of finalizers are missing (option
         *     `production-pause-vote-timeout-ms`).
         *
         *     It has no errors of its own.
         */
        post: operations["paused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * pause by GET
         * @description The same as a POST of `pause` with an empty body.
         */
        get: operations["pause_by_get"];
        put?: never;
        /**
         * pause: pause production
         * @description Pauses block production. The pending block is still produced, so that it contains all
         *     accepted transactions; no other block is started. Transactions are still executed and
         *     answered; they enter a block after `resume`. A node that is already paused stays paused.
         *
         *     It has no errors of its own.
         */
        post: operations["pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * resume by GET
         * @description The same as a POST of `resume` with an empty body.
         */
        get: operations["resume_by_get"];
        put?: never;
        /**
         * resume: resume production
         * @description Resumes block production, removes a scheduled pause, and restarts the wait for votes of
         *     finalizers. It has no effect on a node that is not paused.
         *
         *     It has no errors of its own.
         */
        post: operations["resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/pause_at_block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * pause_at_block: pause at a block number
         * @description Schedules a pause. Once the block with that number is in the chain, production and
         *     execution pause, and submissions are refused at once with 500 and producer_exception. 0
         *     removes a scheduled pause.
         *
         *     Errors: 500 `invalid_pause_at_block_request` for a block number that the chain has passed.
         */
        post: operations["pause_at_block"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_runtime_options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_runtime_options by GET
         * @description The same as a POST of `get_runtime_options` with an empty body.
         */
        get: operations["get_runtime_options_by_get"];
        put?: never;
        /**
         * get_runtime_options: options of production
         * @description Returns the options of block production that can be changed while the node runs.
         *
         *     It has no errors of its own.
         */
        post: operations["get_runtime_options"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/update_runtime_options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * update_runtime_options: change options of production
         * @description Changes options of block production until the node stops. An option that is absent stays
         *     as it is.
         *
         *     Errors: 500 `plugin_config_exception` for a value out of range, `misc_exception` for such
         *     a `greylist_limit`; then nothing is changed.
         */
        post: operations["update_runtime_options"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_greylist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_greylist by GET
         * @description The same as a POST of `get_greylist` with an empty body.
         */
        get: operations["get_greylist_by_get"];
        put?: never;
        /**
         * get_greylist: greylist
         * @description Returns the accounts whose resource limits are not increased while the chain is uncongested.
         *
         *     It has no errors of its own.
         */
        post: operations["get_greylist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/add_greylist_accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * add_greylist_accounts: add accounts to the greylist
         * @description Adds accounts to the greylist. An account that is already on it stays on it.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors: 400 `invalid_http_request` without an account.
         */
        post: operations["add_greylist_accounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/remove_greylist_accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * remove_greylist_accounts: remove accounts from the greylist
         * @description Removes accounts from the greylist. An account that is not on it is not an error.
         *
         *     Errors: 400 `invalid_http_request` without an account.
         */
        post: operations["remove_greylist_accounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_whitelist_blacklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_whitelist_blacklist by GET
         * @description The same as a POST of `get_whitelist_blacklist` with an empty body.
         */
        get: operations["get_whitelist_blacklist_by_get"];
        put?: never;
        /**
         * get_whitelist_blacklist: whitelists and blacklists
         * @description Returns the six lists by which this node chooses the transactions that it puts into
         *     blocks.
         *
         *     It has no errors of its own.
         */
        post: operations["get_whitelist_blacklist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/set_whitelist_blacklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * set_whitelist_blacklist: set whitelists and blacklists
         * @description Replaces the lists that the request contains. A list that is absent or `null` stays as it is.
         *     They last until the node stops. Nothing changes when one of them is refused.
         *
         *     Errors: 400 `invalid_http_request` without any of the six lists.
         */
        post: operations["set_whitelist_blacklist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/create_snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * create_snapshot by GET
         * @description The same as a POST of `create_snapshot` with an empty body.
         */
        get: operations["create_snapshot_by_get"];
        put?: never;
        /**
         * create_snapshot: make a snapshot
         * @description Writes the state of the chain at the newest block into a file and answers once that block
         *     is final; block production continues meanwhile. A second request for the same block before that gets the
         *     same result.
         *
         *     While production is paused the newest block does not become final, so the answer waits until
         *     production is resumed, as in the reference; the log says so. With `allow_reversible` the
         *     answer comes when the file is written.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors: 500 `snapshot_finalization_exception` when its block left the chain before it was
         *     final, 500 `snapshot_exists_exception` when there is one of the block, 500
         *     `snapshot_execution_exception` when the file cannot be written.
         */
        post: operations["create_snapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/schedule_snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * schedule_snapshot by GET
         * @description The same as a POST of `schedule_snapshot` with an empty body.
         */
        get: operations["schedule_snapshot_by_get"];
        put?: never;
        /**
         * schedule_snapshot: schedule snapshots
         * @description Schedules snapshots: one at a block number, or one every so many blocks between two block numbers. An
         *     empty body schedules one at once. The schedule survives a restart.
         *
         *     A request for a single snapshot at a past block number is accepted, and is removed with the
         *     next final block.
         *
         *     Errors: 500 `invalid_snapshot_request` for an end before the start or a spacing longer
         *     than the range, 500 `duplicate_snapshot_request` for a schedule that exists.
         */
        post: operations["schedule_snapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/unschedule_snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * unschedule_snapshot: remove a schedule of snapshots
         * @description Removes a request for snapshots and returns it.
         *
         *     Errors: 500 `snapshot_request_not_found` when no request has the id.
         */
        post: operations["unschedule_snapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_snapshot_requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_snapshot_requests by GET
         * @description The same as a POST of `get_snapshot_requests` with an empty body.
         */
        get: operations["get_snapshot_requests_by_get"];
        put?: never;
        /**
         * get_snapshot_requests: schedules of snapshots
         * @description Returns the requests for snapshots and the snapshots whose block is not final yet.
         *
         *     It has no errors of its own.
         */
        post: operations["get_snapshot_requests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_integrity_hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_integrity_hash by GET
         * @description The same as a POST of `get_integrity_hash` with an empty body.
         */
        get: operations["get_integrity_hash_by_get"];
        put?: never;
        /**
         * get_integrity_hash: digest of the state of the chain
         * @description Returns a digest over the whole state at the newest block. Two nodes with the same state
         *     answer the same digest. It reads the whole state, so it takes long on a large chain.
         *
         *     It has no errors of its own.
         */
        post: operations["get_integrity_hash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_supported_protocol_features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_supported_protocol_features by GET
         * @description The same as a POST of `get_supported_protocol_features` with an empty body.
         */
        get: operations["get_supported_protocol_features_by_get"];
        put?: never;
        /**
         * get_supported_protocol_features: protocol features that the node knows
         * @description Returns the protocol features that the node can activate or accept, each after those it
         *     depends on.
         *
         *     It has no errors of its own.
         */
        post: operations["get_supported_protocol_features"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/schedule_protocol_feature_activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * schedule_protocol_feature_activations: schedule protocol features
         * @description Schedules protocol features that the next block of this node activates, in addition to those
         *     that were preactivated by transactions.
         *
         *     With `Prefer: return=minimal` the response body is `null`, which is what the specification shows;
         *     by default it is the body that clients read.
         *
         *     Errors: 500 `protocol_feature_exception` for a feature that is unknown, active, disabled
         *     or waits for its preactivation, 500 `invalid_protocol_features_to_activate` for one that
         *     is named twice; then nothing is scheduled.
         */
        post: operations["schedule_protocol_feature_activations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_scheduled_protocol_feature_activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_scheduled_protocol_feature_activations by GET
         * @description The same as a POST of `get_scheduled_protocol_feature_activations` with an empty body.
         */
        get: operations["get_scheduled_protocol_feature_activations_by_get"];
        put?: never;
        /**
         * get_scheduled_protocol_feature_activations: protocol features that are scheduled
         * @description Returns the protocol features that the next block of this node will activate.
         *
         *     It has no errors of its own.
         */
        post: operations["get_scheduled_protocol_feature_activations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_account_ram_corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_account_ram_corrections by GET
         * @description The same as a POST of `get_account_ram_corrections` with an empty body.
         */
        get: operations["get_account_ram_corrections_by_get"];
        put?: never;
        /**
         * get_account_ram_corrections: corrections of the memory of accounts
         * @description Returns, for each account, the correction of its used RAM that the chain made when it fixed
         *     an old error.
         *
         *     It has no errors of its own.
         */
        post: operations["get_account_ram_corrections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/producer/get_unapplied_transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_unapplied_transactions by GET
         * @description The same as a POST of `get_unapplied_transactions` with an empty body.
         */
        get: operations["get_unapplied_transactions_by_get"];
        put?: never;
        /**
         * get_unapplied_transactions: queue of transactions
         * @description Returns the transactions that wait to be put into a block: those that came in, and those
         *     whose block left the chain.
         *
         *     It has no errors of its own.
         */
        post: operations["get_unapplied_transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/node/get_supported_apis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_supported_apis by GET
         * @description The same as a POST of `get_supported_apis` with an empty body.
         */
        get: operations["get_supported_apis_by_get"];
        put?: never;
        /**
         * get_supported_apis: paths that this address serves
         * @description Returns the paths that this address serves. An operator can give groups of operations
         *     separate addresses.
         *
         *     It is an operation beyond the specification.
         *
         *     It has no errors of its own.
         */
        post: operations["get_supported_apis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/node/get_health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_health by GET
         * @description The same as a POST of `get_health` with an empty body.
         */
        get: operations["get_health_by_get"];
        put?: never;
        /**
         * get_health: whether the node is healthy
         * @description Returns a summary of the node's state if the node is healthy. It fails with 503 if the node
         *     should produce and no block was produced for too long, although production was not paused,
         *     and while the node stops.
         *
         *     It is an operation beyond the specification.
         *
         *     Errors: 503 when the node is not well; `error` says why.
         */
        post: operations["get_health"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trace_api/get_block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_block: traces of the transactions of a block
         * @description Returns the actions that ran in a block, in the order of their execution: those of its transactions,
         *     notifications and actions that contracts sent. Transactions that failed or expired are left out.
         *
         *     `params` and `return_data` are there if the node has an ABI for the action: one of `trace-rpc-abi`, or
         *     with `trace-chain-abis` the present one of the account. The traces of a node begin with the first
         *     block that it executed while the trace API was on.
         *
         *     It is an operation beyond the specification.
         *
         *     Errors: 400 for a request without a block number, 404 for a block without traces, 500
         *     `unsupported_feature` if the trace API is off. The first two have no error name.
         *     503 `Busy` while two reads of compressed traces run and 256 wait, or after
         *     10 seconds of waiting.
         */
        post: operations["get_block_trace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trace_api/get_transaction_trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * get_transaction_trace: trace of a transaction
         * @description Returns the actions of one transaction, as `get_block` does, wherever its block is on the chain.
         *
         *     It is an operation beyond the specification.
         *
         *     Errors: 400 for a request without an id, 404 for a transaction without traces, 500
         *     `unsupported_feature` if the trace API is off. The first two have no error name.
         *     503 `Busy` while two searches of transactions, or two reads of compressed traces, run
         *     and 256 wait, or after 10 seconds of waiting.
         */
        post: operations["get_transaction_trace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/net/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connect: connect to a peer
         * @description Connects to a peer, now and whenever the connection ends. The body is the address as a JSON
         *     string, `host:port[:trx|:blk]`, or an object with it as `endpoint`. Answers `added connection`,
         *     `already connected` or `invalid peer address`.
         *
         *     Errors: 500 `unsupported_feature` on a fork of a public chain, which has no peers.
         */
        post: operations["connect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/net/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * disconnect: end a connection
         * @description Ends the connection to a peer, and does not make it again. The body is as for connect. Answers
         *     `connection removed` or `no known connection for host`.
         *
         *     It has no errors of its own.
         */
        post: operations["disconnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/net/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * status: one connection
         * @description Returns the state of the connection to a peer, or null if there is none. The body is as for
         *     connect.
         *
         *     It has no errors of its own.
         */
        post: operations["status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/net/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * connections by GET
         * @description The same as a POST of `connections` with an empty body.
         */
        get: operations["connections_by_get"];
        put?: never;
        /**
         * connections: all connections
         * @description Returns the state of every connection, in the order in which they were made.
         *
         *     It has no errors of its own.
         */
        post: operations["connections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/net/bp_gossip_peers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * bp_gossip_peers by GET
         * @description The same as a POST of `bp_gossip_peers` with an empty body.
         */
        get: operations["bp_gossip_peers_by_get"];
        put?: never;
        /**
         * bp_gossip_peers: addresses of block producers
         * @description Returns the addresses that block producers told each other. A node without the option
         *     `p2p-bp-gossip-endpoint` takes no part in that, so it has none.
         *
         *     It has no errors of its own.
         */
        post: operations["bp_gossip_peers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/db_size/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get by GET
         * @description The same as a POST of `get` with an empty body.
         */
        get: operations["get_by_get"];
        put?: never;
        /**
         * get: size of the state
         * @description Returns how much memory the state of the chain takes, and how many rows its tables have.
         *     The state grows as it needs to, so that its size is what it uses. `files` lists how much the files of the blocks,
         *     of the stored state and of the histories take on the disk.
         *
         *     It is an operation beyond the specification.
         *
         *     It has no errors of its own.
         */
        post: operations["get"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/get_controls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * get_controls by GET
         * @description The same as a POST of `get_controls` with an empty body.
         */
        get: operations["get_controls_by_get"];
        put?: never;
        /**
         * get_controls: how a development chain is controlled
         * @description Returns how blocks are produced, the time, the checkpoints, and the accounts for which anyone may act.
         *
         *     Operations of this group are served only on loopback addresses. They control the development chain that a node without `producer-name` runs.
         *
         *     Errors: 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["get_controls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/set_production_mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * set_production_mode: when blocks are produced
         * @description Sets when blocks are produced: `interval`, a block in each slot of 500 ms, as a node begins; `instant`, a block for each transaction that succeeds, before it is answered; `manual`, only the blocks that mine_blocks and advance_time make.
         *
         *     With `instant`, the time of a block is that of the clock. If the transaction expires before, it is the time of its expiration. Blocks that follow each other quickly are 500 ms apart, so their times may be ahead of the clock, which follows. With `manual`, a transaction is answered when it is executed in the pending block.
         *
         *     Errors: 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["set_production_mode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/mine_blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * mine_blocks by GET
         * @description The same as a POST of `mine_blocks` with an empty body.
         */
        get: operations["mine_blocks_by_get"];
        put?: never;
        /**
         * mine_blocks: make blocks at once
         * @description Makes blocks 500 ms apart without waiting for their times: so many, or up to a block number or a time. The first one contains the transactions of the pending block. The clock follows the times of the blocks, so all that expires, decays or is due follows them too. Finality advances as usual.
         *
         *     To skip time without making blocks for it, use advance_time.
         *
         *     Errors: 500 `misc_exception` for blocks that exist already or more than 20000 blocks; 500 `producer_exception` if no block can be made, for example while production is paused; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["mine_blocks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/advance_time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * advance_time by GET
         * @description The same as a POST of `advance_time` with an empty body.
         */
        get: operations["advance_time_by_get"];
        put?: never;
        /**
         * advance_time: make it a later time
         * @description Moves the clock of the chain forward and makes a block with the new time, so all that waits for this time is due; deferred transactions that have expired are removed. Transactions that were answered before are in a block with the old time. The clock continues from there. It never goes back, except to a checkpoint.
         *
         *     Errors: 500 `misc_exception` for a time that is not after the present one, or after 2060; 500 `producer_exception` if no block can be made; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["advance_time"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/save_state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * save_state: save the chain to a file
         * @description Saves the chain as it is: a snapshot, `states/NAME.bin` in the data folder, and beside it its checksum `NAME.bin.sha256` and `NAME.json` with what the development chain adds: the production mode, the time, and the accounts for which anyone may act. The pending block ends first if it has transactions. A state of the same name is replaced. The chain waits until the files are on the disk.
         *
         *     A node whose data folder has no chain starts from such a state with the option `load-state`. Checkpoints are not part of it, nor are the keys of the node.
         *
         *     Errors: 500 `producer_exception` if no block can be made; 500 `snapshot_exception` if the files cannot be written; 500 `unsupported_feature` for a node that keeps nothing on the disk, a chain that is not a development chain, or a node that has peers.
         */
        post: operations["save_state"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/load_state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * load_state: replace the chain by a saved one
         * @description Replaces the chain by one that this node or another one saved with save_state. The files are `NAME.bin` and `NAME.json` in the folder `states` of the data folder. The state, the head, the production mode, the time and the accounts for which anyone may act are those of when it was saved. The node continues from there. What happened on the chain until now never happened, also after a restart: its blocks, traces, state history and checkpoints are deleted. Saved states and snapshots stay. Lists and options that were changed while the node ran are those of the start again.
         *
         *     Other requests wait until the chain is replaced. Those that wait for a transaction fail, and readers of state history are disconnected. If the process ends meanwhile, the chain is the old one or, after the next start, the new one. To return to a state of the same chain, checkpoints take less time.
         *
         *     Errors: 500 `snapshot_exception` if the state does not exist, is damaged, or belongs to another chain; 500 `misc_exception` while another state is loaded; 500 `unsupported_feature` for a node that keeps nothing on the disk, a chain that is not a development chain, or a node that has peers. Nothing has changed then.
         */
        post: operations["load_state"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/take_checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * take_checkpoint by GET
         * @description The same as a POST of `take_checkpoint` with an empty body.
         */
        get: operations["take_checkpoint_by_get"];
        put?: never;
        /**
         * take_checkpoint: take a checkpoint
         * @description Takes a checkpoint after the head block, to which go_back_to_checkpoint returns any number of times. It includes the state, the blocks, the transactions that wait for a block, the lists of this node (also that of act_as), and the time.
         *
         *     Until the last checkpoint is dropped, no block after it becomes irreversible, and requests that wait for irreversibility wait. Later blocks are kept in memory. Checkpoints end with the node; then the blocks after them stay.
         *
         *     Errors: 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["take_checkpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/go_back_to_checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * go_back_to_checkpoint: go back to a checkpoint
         * @description Makes the chain what it was at a checkpoint, which remains. Later blocks and transactions never happened, also after a restart; get_transaction_status returns FORKED_OUT for them. Checkpoints that were taken later are dropped. Requests that wait for a transaction fail with producer_exception. The production mode stays.
         *
         *     Errors: 500 `misc_exception` for a checkpoint that does not exist; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["go_back_to_checkpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/drop_checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * drop_checkpoint: drop a checkpoint
         * @description Drops a checkpoint. The chain stays as it is. After the last one, blocks become irreversible again, at the latest with the next block.
         *
         *     Errors: 500 `misc_exception` for a checkpoint that does not exist; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["drop_checkpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/act_as": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * act_as by GET
         * @description The same as a POST of `act_as` with an empty body.
         */
        get: operations["act_as_by_get"];
        put?: never;
        /**
         * act_as: let anyone act for accounts
         * @description Sets the accounts for which anyone may act from now on: transactions with their authorizations are accepted without signatures, or with any signatures. Keys, weights and delays of these accounts are not checked; the permissions must exist and be those that the actions need. Contracts see exactly what they would see with the right signatures.
         *
         *     Nodes that trust the producer, and replays, accept such blocks; nodes that validate fully refuse them. The node therefore logs at each later start that the chain was made this way. The option `any-account` does the same from the start.
         *
         *     Errors: 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["act_as"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/create_account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * create_account: create an account
         * @description Creates an account with its key, RAM and contract, in one transaction, and makes a block that contains it. No signature is needed: the transaction is one of any account (see act_as).
         *
         *     Errors: 400 `invalid_http_request` for a key, code or ABI that cannot be read; what its actions fail with, for example 500 `account_name_exists_exception`; 500 `producer_exception` if no block can be made, or the pending block is full; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["create_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/set_authority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * set_authority: set the authority of an account
         * @description Sets a permission of an account in the name of its owner, and makes a block that contains the change. The keys of the account are not needed: the transaction is one of any account (see act_as).
         *
         *     Errors: 400 `invalid_http_request` for an authority that cannot be read; what its actions fail with; 500 `producer_exception` if no block can be made, or the pending block is full; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["set_authority"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/set_balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * set_balance: give an account a balance of a token
         * @description Gives an account a balance of any token on the chain, and makes a block that contains the change. What is missing is issued; if the maximum supply does not permit this, it is moved from the richest holder. What is too much is retired. The transaction is one of any account (see act_as).
         *
         *     Errors: 500 `contract_table_query_exception` for a token that does not exist, or if no holder has enough of it; what its actions fail with and what the ABI of a contract refuses; 500 `producer_exception` if no block can be made, or the pending block is full; 500 `unsupported_feature` for a chain that is not a development chain, or a node that has peers.
         */
        post: operations["set_balance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A SHA-256 digest, 32 bytes in hexadecimal. Answers use lower case.
         * @example 9371fb05f023fcc78b23923d70bdfe6642cdf1956d120045bcd1371e05c961a9
         */
        Sha256: string;
        /**
         * @description An unsigned 32-bit number.
         * @example 140
         */
        Uint32: number;
        /**
         * @description A block id, 32 bytes in hexadecimal; the first four bytes are the block number.
         * @example 0000008caa8b83fd341ae4ee477e8b262112dbc6d317c2d67a45ffad5faeb50b
         */
        BlockId: string;
        /**
         * @description A point in time in UTC with milliseconds. Block times are multiples of 500 ms.
         * @example 2026-11-28T00:02:44.000
         */
        DateTimeSeconds: string;
        /**
         * @description Any name of the chain: at most 12 characters of `a-z`, `1-5` and the dot, or 13 of which the last is one of `.`, `1-5`, `a-j`. It does not end with a dot. The empty string is the name of value zero. Every other variant of a name is also one of these.
         * @example alice
         */
        NameCatchAll: string;
        /**
         * @description A basic account name: 12 characters of `a-z` and `1-5`, no dot. Any account may create an account with such a name.
         * @example alice1111111
         */
        NameBasic: string;
        /**
         * @description A short or premium account name without a dot: fewer than 12 characters. On chains with a name auction it is sold there.
         * @example alice
         */
        NameBid: string;
        /**
         * @description The name of an account of the system: the prefix of the system account (`eosio` on this chain), a dot and up to six characters. Only privileged accounts can create it. The prefix is named here and in one constant of the engine.
         * @example eosio.token
         */
        NamePrivileged: string;
        /**
         * @description A name of the chain (account, permission, action, table, scope): 64 bits, written in base 32. It is one of four variants. The catch-all variant comes first because it holds all others.
         * @example alice
         */
        Name: components["schemas"]["NameCatchAll"] | components["schemas"]["NameBasic"] | components["schemas"]["NameBid"] | components["schemas"]["NamePrivileged"];
        /**
         * @description An unsigned 64-bit number: a JSON number, or a decimal string when it exceeds 4294967295 (0xffffffff).
         * @example 200000
         */
        Unsigned64: number | string;
        /** @description The state of the node and of the chain. */
        ChainInfo: {
            /**
             * @description A hash of the version of the node, 8 hexadecimal digits.
             * @example 04bdb089
             */
            server_version: string;
            /** @description The id of the chain. */
            chain_id: components["schemas"]["Sha256"];
            /**
             * @description The number of the newest block.
             * @example 140
             */
            head_block_num: components["schemas"]["Uint32"];
            /**
             * @description The number of the newest final block.
             * @example 140
             */
            last_irreversible_block_num: components["schemas"]["Uint32"];
            /** @description The id of the newest final block. */
            last_irreversible_block_id: components["schemas"]["BlockId"];
            /** @description The id of the newest block. */
            head_block_id: components["schemas"]["BlockId"];
            /** @description The time of the newest block. */
            head_block_time: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The producer of the newest block.
             * @example prodb
             */
            head_block_producer: components["schemas"]["Name"];
            /**
             * @description The CPU time a block could use if the chain stayed uncongested, in microseconds.
             * @example 229768
             */
            virtual_block_cpu_limit: components["schemas"]["Unsigned64"];
            /**
             * @description The NET a block could use if the chain stayed uncongested, in bytes.
             * @example 1204952
             */
            virtual_block_net_limit: components["schemas"]["Unsigned64"];
            /**
             * @description The CPU time that is left for the block in work, in microseconds.
             * @example 200000
             */
            block_cpu_limit: components["schemas"]["Unsigned64"];
            /**
             * @description The NET that is left for the block in work, in bytes.
             * @example 1048576
             */
            block_net_limit: components["schemas"]["Unsigned64"];
            /**
             * @description The version of the node.
             * @example v1.2.2
             */
            server_version_string: string;
            /**
             * @description The number of the best block that the node knows.
             * @example 140
             */
            fork_db_head_block_num: components["schemas"]["Uint32"];
            /** @description The id of the best block that the node knows. */
            fork_db_head_block_id: components["schemas"]["BlockId"];
            /**
             * @description The version of the node with its build.
             * @example v1.2.2-04bdb089
             */
            server_full_version_string: string;
            /**
             * @description The sum of the CPU weights of all accounts.
             * @example 100000101
             */
            total_cpu_weight: components["schemas"]["Unsigned64"];
            /**
             * @description The sum of the NET weights of all accounts.
             * @example 100000101
             */
            total_net_weight: components["schemas"]["Unsigned64"];
            /**
             * @description The number of the oldest block that the node can return.
             * @example 1
             */
            earliest_available_block_num: components["schemas"]["Uint32"];
            /** @description The time of the newest final block. */
            last_irreversible_block_time: components["schemas"]["DateTimeSeconds"];
        };
        /** @description One line of the explanation of an error. */
        ErrorDetail: {
            /**
             * @description What happened, with its values.
             * @example unknown key (eosio::chain::name): nobody
             */
            message: string;
            /**
             * @description A place in the source of the node. It may be empty.
             * @example
             */
            file: string;
            /**
             * @description A line of that place, or 0.
             * @example 0
             */
            line_number: number;
            /**
             * @description A function of that place. It may be empty.
             * @example
             */
            method: string;
        };
        /** @description The response body of every failed request. */
        Error: {
            /**
             * @description The HTTP status of the response.
             * @example 500
             */
            code: number;
            /**
             * @description The name of the kind of failure, by HTTP status and cause.
             * @example Internal Service Error
             */
            message: string;
            /** @description The cause. */
            error: {
                /**
                 * @description The number of the error in the table of the chain (3000000 to 3290000), or a small number for a failure outside of it.
                 * @example 3050003
                 */
                code: number;
                /**
                 * @description The name of the error in that table.
                 * @example eosio_assert_message_exception
                 */
                name: string;
                /**
                 * @description What an error of this name means.
                 * @example eosio_assert_message assertion failure
                 */
                what: string;
                /** @description What happened, the most telling line first. One line unless the node runs with `verbose-http-errors`. */
                details: components["schemas"]["ErrorDetail"][];
            };
        };
        /**
         * @description No parameters: an empty object. An absent body means the same.
         * @example {}
         */
        EmptyObject: Record<string, never>;
        /** @description An account. */
        GetAccountRequest: {
            /**
             * @description The account.
             * @example alice
             */
            account_name: components["schemas"]["Name"];
            /**
             * @description The symbol of the core token as `precision,CODE`; without it the symbol of the system contract. `null` means that the field is absent.
             * @example 4,SYS
             */
            expected_core_symbol?: string | null;
        };
        /**
         * @description An amount of a token: digits, a point and the decimals of the token, a space, and the code of the symbol (1 to 7 capital letters). The specification shows exactly 4 decimals; a token may have any number from 0 to 18, and an amount without decimals has no point (`5 ABC`). Amounts of a ledger are not negative; a minus sign is possible in what a contract stores.
         * @example 1000000.0000 SYS
         */
        Symbol: string;
        /**
         * @description A signed 64-bit number: a JSON number, or a decimal string when its magnitude exceeds 4294967295 (0xffffffff).
         * @example 208215494230
         */
        Integer64: number | string;
        /** @description How much of a resource an account used and may use. -1 means no limit. */
        AccountResourceLimit: {
            /**
             * @description What is used in the current window.
             * @example 272
             */
            used: components["schemas"]["Integer64"];
            /**
             * @description What is left.
             * @example 39703867029
             */
            available: components["schemas"]["Integer64"];
            /**
             * @description What the account may use in a window.
             * @example 39703870299
             */
            max: components["schemas"]["Integer64"];
            /** @description When the use was last counted. */
            last_usage_update_time?: components["schemas"]["DateTimeSeconds"];
            /**
             * @description What is used, decayed to the time of the newest block.
             * @example 272
             */
            current_used?: components["schemas"]["Integer64"];
        };
        /**
         * @description A public key. K1 keys are written with the legacy prefix of the chain (`EOS`), all others as `PUB_R1_…` or `PUB_WA_…`; requests may use `PUB_K1_…` too. The legacy prefix is named here and in one constant of the engine.
         * @example EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV
         */
        PublicKey: string;
        /** @description A public key and what it counts. */
        KeyWeight: {
            /** @description The key. */
            key: components["schemas"]["PublicKey"];
            /**
             * @description What a signature by this key adds towards the threshold.
             * @example 1
             */
            weight: number;
        };
        /** @description A permission of an account. */
        PermissionLevel: {
            /**
             * @description The account.
             * @example alice
             */
            actor: components["schemas"]["Name"];
            /**
             * @description Its permission.
             * @example active
             */
            permission: components["schemas"]["Name"];
        };
        /** @description A permission of another account and what it counts. */
        PermissionLevelWeight: {
            /** @description The permission that must be satisfied. */
            permission: components["schemas"]["PermissionLevel"];
            /**
             * @description What it adds towards the threshold.
             * @example 1
             */
            weight: number;
        };
        /** @description A delay and what it counts. */
        WaitWeight: {
            /**
             * @description How long the transaction must be delayed, in seconds.
             * @example 10
             */
            wait_sec: number;
            /**
             * @description What the delay adds towards the threshold.
             * @example 1
             */
            weight: number;
        };
        /** @description Who can act with a permission: keys, permissions and delays whose weights reach the threshold. */
        Authority: {
            /**
             * @description The sum of weights that is needed.
             * @example 1
             */
            threshold: number;
            /** @description Keys, in the order of the chain. */
            keys: components["schemas"]["KeyWeight"][];
            /** @description Permissions of accounts. */
            accounts: components["schemas"]["PermissionLevelWeight"][];
            /** @description Delays. */
            waits: components["schemas"]["WaitWeight"][];
        };
        /** @description An action that is linked to a permission. */
        LinkedAction: {
            /**
             * @description The contract.
             * @example other
             */
            account: components["schemas"]["Name"];
            /**
             * @description The action. Absent when every action of the contract is linked.
             * @example setcode
             */
            action?: components["schemas"]["Name"];
        };
        /** @description A permission of an account. */
        Permission: {
            /**
             * @description The name of the permission.
             * @example active
             */
            perm_name: components["schemas"]["Name"];
            /**
             * @description The permission above it; empty for `owner`.
             * @example owner
             */
            parent: components["schemas"]["Name"];
            /** @description Who can act with it. */
            required_auth: components["schemas"]["Authority"];
            /** @description The actions that ask for this permission instead of `active`. */
            linked_actions?: components["schemas"]["LinkedAction"][];
        };
        /** @description An account. */
        Account: {
            /** @description The account. */
            account_name: components["schemas"]["Name"];
            /**
             * @description The number of the newest block.
             * @example 140
             */
            head_block_num: components["schemas"]["Uint32"];
            /** @description The time of the newest block. */
            head_block_time: components["schemas"]["DateTimeSeconds"];
            /**
             * @description Whether the account is privileged.
             * @example false
             */
            privileged: boolean;
            /** @description When its code was last set; the start of 1970 when never. */
            last_code_update: components["schemas"]["DateTimeSeconds"];
            /** @description When the account was created. */
            created: components["schemas"]["DateTimeSeconds"];
            /** @description Its balance of the core token, where there is one. */
            core_liquid_balance?: components["schemas"]["Symbol"];
            /**
             * @description The memory that it may use, in bytes; -1 means no limit.
             * @example -1
             */
            ram_quota: components["schemas"]["Integer64"];
            /**
             * @description Its weight for NET; -1 means no limit.
             * @example -1
             */
            net_weight: components["schemas"]["Integer64"];
            /**
             * @description Its weight for CPU; -1 means no limit.
             * @example -1
             */
            cpu_weight: components["schemas"]["Integer64"];
            /** @description Its NET, in bytes. */
            net_limit: components["schemas"]["AccountResourceLimit"];
            /** @description Its CPU time, in microseconds. */
            cpu_limit: components["schemas"]["AccountResourceLimit"];
            /**
             * @description The memory that it uses, in bytes.
             * @example 205477
             */
            ram_usage: components["schemas"]["Integer64"];
            /** @description Its permissions, by name. */
            permissions: components["schemas"]["Permission"][];
            /** @description What it bought and what others gave it. Its fields are those of the ABI of the system contract. null when there is none. */
            total_resources: {
                [key: string]: unknown;
            } | null;
            /** @description What it gave itself. Its fields are those of the ABI of the system contract. null when there is none. */
            self_delegated_bandwidth: {
                [key: string]: unknown;
            } | null;
            /** @description What it gets back. Its fields are those of the ABI of the system contract. null when there is none. */
            refund_request: {
                [key: string]: unknown;
            } | null;
            /** @description How it votes. Its fields are those of the ABI of the system contract. null when there is none. */
            voter_info: {
                [key: string]: unknown;
            } | null;
            /** @description What it lent. Its fields are those of the ABI of the system contract. null when there is none. */
            rex_info: {
                [key: string]: unknown;
            } | null;
            /** @description The CPU time that this node counts against it for failed transactions, in microseconds. */
            subjective_cpu_bill_limit: components["schemas"]["AccountResourceLimit"];
            /**
             * @description The actions that are linked to the permission `eosio.any`.
             * @example []
             */
            eosio_any_linked_actions: components["schemas"]["LinkedAction"][];
        };
        /**
         * @description A block: its number as an integer or decimal string, or its id of 64 hexadecimal digits. A text that is neither is answered with block_id_type_exception, a block that is not there with unknown_block_exception.
         * @example 140
         */
        BlockNumOrId: string | number;
        /** @description A block by number or id. */
        BlockNumOrIdRequest: {
            /** @description The block. */
            block_num_or_id: components["schemas"]["BlockNumOrId"];
        };
        /** @description A producer schedule with one key a producer. */
        LegacyProducerSchedule: {
            /**
             * @description The version of the schedule.
             * @example 1
             */
            version: components["schemas"]["Uint32"];
            /** @description The producers, in order. */
            producers: {
                /**
                 * @description The producer.
                 * @example proda
                 */
                producer_name: components["schemas"]["Name"];
                /** @description The key that signs its blocks. */
                block_signing_key: components["schemas"]["PublicKey"];
            }[];
        };
        /**
         * @description Nothing: the value is absent.
         * @example null
         * @enum {string|null}
         */
        Null: null;
        /** @description The keys that sign the blocks of a producer. */
        BlockSigningAuthority: {
            /**
             * @description The sum of weights that is needed.
             * @example 1
             */
            threshold: number;
            /** @description The keys. */
            keys: components["schemas"]["KeyWeight"][];
        };
        /**
         * @description The signing authority of a producer: the kind of authority (0, or its name `block_signing_authority_v0`), then the authority.
         * @example [
         *       0,
         *       {
         *         "threshold": 1,
         *         "keys": [
         *           {
         *             "key": "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
         *             "weight": 1
         *           }
         *         ]
         *       }
         *     ]
         */
        ProducerAuthority: (number | string | components["schemas"]["BlockSigningAuthority"])[];
        /** @description A producer of a schedule. */
        ScheduledProducer: {
            /**
             * @description The producer.
             * @example proda
             */
            producer_name: components["schemas"]["Name"];
            /** @description Who signs its blocks. */
            authority: components["schemas"]["ProducerAuthority"];
        };
        /** @description A producer schedule. */
        ProducerAuthoritySchedule: {
            /**
             * @description The version of the schedule; every change raises it.
             * @example 2
             */
            version: components["schemas"]["Uint32"];
            /** @description The producers, in order. */
            producers: components["schemas"]["ScheduledProducer"][];
        };
        /** @description Which block is claimed to be final, and how strongly. */
        QcClaim: {
            /**
             * @description The number of the block.
             * @example 138
             */
            block_num: components["schemas"]["Uint32"];
            /**
             * @description Whether the votes for it were strong.
             * @example true
             */
            is_strong_qc: boolean;
        };
        /**
         * @description A BLS12-381 public key of a finalizer, in URL-safe base64 with a checksum.
         * @example PUB_BLS_olgrcCnYycAePeNupLXAo4Z5QR06rOP_0rukJWNzPQ_JDdqEIypVIaoBIRbf9poB5dwHmFI9neL2DYPeHpWCAuWvJnHR8iSkruV32cLz9G0rOxzdIr8jlq_RmgQvO7wJYzhtjQ
         */
        BlsPublicKey: string;
        /** @description A finalizer and what its vote counts. */
        FinalizerAuthority: {
            /**
             * @description A text that names it.
             * @example finalizer one
             */
            description: string;
            /**
             * @description What its vote counts.
             * @example 1
             */
            weight: components["schemas"]["Unsigned64"];
            /** @description The key that signs its votes. */
            public_key: components["schemas"]["BlsPublicKey"];
        };
        /** @description The finality extension of a block header. */
        FinalityExtension: {
            /** @description The claim of the block. */
            qc_claim: components["schemas"]["QcClaim"];
            /** @description A change of the finalizer policy that the block proposes. */
            new_finalizer_policy_diff?: {
                /**
                 * @description The number of the new policy.
                 * @example 1
                 */
                generation: components["schemas"]["Uint32"];
                /**
                 * @description Its threshold.
                 * @example 1
                 */
                threshold: components["schemas"]["Unsigned64"];
                /** @description What changes: the positions that are removed, then the finalizers that are put in. */
                finalizers_diff: {
                    /**
                     * @description Positions that are removed.
                     * @example []
                     */
                    remove_indexes: components["schemas"]["Uint32"][];
                    /** @description Positions and the finalizers that are put there. */
                    insert_indexes: (number | components["schemas"]["FinalizerAuthority"])[][];
                };
            };
            /** @description A change of the producer schedule that the block proposes. */
            new_proposer_policy_diff?: {
                /**
                 * @description The version of the new schedule.
                 * @example 2
                 */
                version: components["schemas"]["Uint32"];
                /** @description When it was proposed. */
                proposal_time: components["schemas"]["DateTimeSeconds"];
                /** @description What changes: the positions that are removed, then the producers that are put in. */
                producer_auth_diff: {
                    /**
                     * @description Positions that are removed.
                     * @example []
                     */
                    remove_indexes: components["schemas"]["Uint32"][];
                    /** @description Positions and the producers that are put there. */
                    insert_indexes: (number | components["schemas"]["ScheduledProducer"])[][];
                };
            };
        };
        /**
         * @description The signature of the producer. Blocks with several signatures keep the others in an extension.
         * @example SIG_K1_KADWuw3LPYExrYmpsfid5yL7x4H7NKwArhVyrnSSBVUVWAu78BkRx6E4YNMup915ThLTb85SnyaQyJ8EGmcvFHGUQdencf
         */
        ProducerSignature: string;
        /**
         * @description A signature: its curve (`K1`, `R1` or `WA` for WebAuthn) and its base58 text with a checksum.
         * @example SIG_K1_KADWuw3LPYExrYmpsfid5yL7x4H7NKwArhVyrnSSBVUVWAu78BkRx6E4YNMup915ThLTb85SnyaQyJ8EGmcvFHGUQdencf
         */
        Signature: string;
        /**
         * @description Bytes in hexadecimal, two digits a byte. Answers use lower case.
         * @example 0106
         */
        Hex: string;
        /**
         * @description A point in time in UTC, in whole seconds.
         * @example 2026-11-28T00:02:51
         */
        DateTime: string;
        /**
         * @description A whole number from 0 to 4294967295: an integer, or a string of decimal digits. Greater ones are refused in either form.
         * @example 10
         */
        WholeNumber: number | string;
        /**
         * @description Any JSON value. What it holds is defined by the ABI of a contract.
         * @example {
         *       "from": "alice",
         *       "to": "bob",
         *       "quantity": "1.0000 SYS",
         *       "memo": "h"
         *     }
         */
        JsonValue: unknown;
        /** @description An action as the node returns it. It has at least 5 properties. */
        Action: {
            /**
             * @description The contract.
             * @example eosio.token
             */
            account: components["schemas"]["Name"];
            /**
             * @description The action of the contract.
             * @example transfer
             */
            name: components["schemas"]["Name"];
            /** @description The permissions that the action declares. */
            authorization: components["schemas"]["PermissionLevel"][];
            /** @description The arguments, decoded with the ABI of the contract. The specification shows an object; it is the bytes in hexadecimal where the contract has no ABI for the action, and what the ABI says otherwise. */
            data: components["schemas"]["JsonValue"];
            /**
             * @description The packed arguments.
             * @example 000000000000855c340000000000000e3d102700000000000004535953000000000168
             */
            hex_data: components["schemas"]["Hex"];
        };
        /**
         * @description An extension of a header, a block or a transaction: the number of its kind, then its bytes in hexadecimal.
         * @example [
         *       0,
         *       "010ec7e080177b2c02b278d5088611686b49d739925a92d9bfcacd7fc6b74053bd"
         *     ]
         */
        Extension: (number | string)[];
        /**
         * @description A string. A JSON number is read as its decimal text.
         * @example alice
         */
        Text: string | number;
        /** @description A transaction as the node returns it. It has at least 8 properties. */
        Transaction: {
            /** @description When the transaction can no longer enter a block. */
            expiration: components["schemas"]["DateTime"];
            /**
             * @description The low 16 bits of the number of a recent block.
             * @example 11
             */
            ref_block_num: number;
            /**
             * @description 32 bits of the id of that block.
             * @example 3278166915
             */
            ref_block_prefix: components["schemas"]["Uint32"];
            /**
             * @description The NET that the transaction may use, in words of 8 bytes; 0 means no limit of its own.
             * @example 0
             */
            max_net_usage_words: components["schemas"]["WholeNumber"];
            /**
             * @description The CPU time that the transaction may use, in milliseconds; 0 means no limit of its own.
             * @example 0
             */
            max_cpu_usage_ms: components["schemas"]["WholeNumber"];
            /**
             * @description How long the transaction waits before it runs, in seconds. It must be 0 once deferred transactions are disabled.
             * @example 0
             */
            delay_sec: components["schemas"]["Uint32"];
            /**
             * @description Actions that read no state and need no authority.
             * @example []
             */
            context_free_actions: components["schemas"]["Action"][];
            /** @description The actions, in order. */
            actions: components["schemas"]["Action"][];
            /**
             * @description Extensions of the transaction.
             * @example []
             */
            transaction_extensions?: components["schemas"]["Extension"][];
            /** @description Which deferred transaction this was, where a contract made it. */
            deferred_transaction_generation?: {
                /** @description The transaction that made it. */
                sender_trx_id?: components["schemas"]["Sha256"];
                /**
                 * @description The number that its sender gave it, 128 bits.
                 * @example 7
                 */
                sender_id?: components["schemas"]["Text"];
                /**
                 * @description The contract that made it.
                 * @example probe
                 */
                sender?: components["schemas"]["Name"];
            };
        };
        /** @description A transaction of a block, packed and decoded. */
        BlockTransactionDetails: {
            /** @description The id of the transaction. */
            id: components["schemas"]["Sha256"];
            /** @description Its signatures. */
            signatures: components["schemas"]["Signature"][];
            /**
             * @description How the packed fields are compressed.
             * @example none
             * @enum {string}
             */
            compression: "none" | "zlib";
            /**
             * @description The packed context-free data.
             * @example 00
             */
            packed_context_free_data: components["schemas"]["Hex"];
            /**
             * @description The context-free data.
             * @example []
             */
            context_free_data: components["schemas"]["Hex"][];
            /** @description The packed transaction. */
            packed_trx: components["schemas"]["Hex"];
            /** @description The decoded transaction. */
            transaction: components["schemas"]["Transaction"];
        };
        /** @description A transaction of a block with its receipt. */
        BlockTransaction: {
            /**
             * @description How the transaction ended.
             * @example executed
             * @enum {string}
             */
            status: "executed" | "soft_fail" | "hard_fail" | "delayed" | "expired";
            /**
             * @description The CPU time that is billed, in microseconds.
             * @example 361
             */
            cpu_usage_us: components["schemas"]["Uint32"];
            /**
             * @description The NET that is billed, in words of 8 bytes.
             * @example 23
             */
            net_usage_words: components["schemas"]["Uint32"];
            /** @description The transaction, or its id alone when it was a deferred one. */
            trx: components["schemas"]["Sha256"] | components["schemas"]["BlockTransactionDetails"];
        };
        /**
         * @description An aggregate BLS12-381 signature, in URL-safe base64 with a checksum.
         * @example SIG_BLS_wrzNNxCMJRe5PNMa7cC75gbAjMrRFKWEDwIfWGYWzyPyh0LNic7frdrgdeViX8EL
         */
        BlsSignature: string;
        /** @description The votes of a policy: who voted (a string of 0 and 1 from the last finalizer to the first) and their aggregate signature. */
        QcSignature: {
            /**
             * @description The finalizers that voted strongly.
             * @example 11
             */
            strong_votes?: string;
            /**
             * @description The finalizers that voted weakly.
             * @example 01
             */
            weak_votes?: string;
            /** @description The aggregate signature. */
            sig: components["schemas"]["BlsSignature"];
        };
        /** @description The certificate that a block carries. */
        QcExtension: {
            /** @description The certificate. */
            qc: {
                /**
                 * @description The block that it certifies.
                 * @example 138
                 */
                block_num: components["schemas"]["Uint32"];
                /** @description The votes of the active policy. */
                active_policy_sig: components["schemas"]["QcSignature"];
                /** @description The votes of the pending policy, where there is one. */
                pending_policy_sig?: components["schemas"]["QcSignature"];
            };
        };
        /** @description A block with its transactions decoded. */
        Block: {
            /** @description The time of the block. */
            timestamp: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The producer of the block; empty for the first block.
             * @example prodb
             */
            producer: components["schemas"]["Name"];
            /**
             * @description How many blocks before it the producer confirms. Once finality is instant it is 0.
             * @example 0
             */
            confirmed: number;
            /** @description The id of the block before. */
            previous: components["schemas"]["BlockId"];
            /** @description The root of the receipts of the transactions of the block. */
            transaction_mroot: components["schemas"]["Sha256"];
            /** @description The root of the actions of the block; with instant finality the root of the finality tree. */
            action_mroot: components["schemas"]["Sha256"];
            /**
             * @description The version of the producer schedule in force. With instant finality a constant marks the block instead.
             * @example 2
             */
            schedule_version: components["schemas"]["Uint32"];
            /** @description A producer schedule of the first form that the block announces, or null. */
            new_producers: components["schemas"]["LegacyProducerSchedule"] | components["schemas"]["Null"];
            /** @description The protocol features that the block activates. */
            new_protocol_features?: {
                /** @description The digest of the feature. */
                feature_digest: components["schemas"]["Sha256"];
            }[];
            /** @description The producer schedule that the block announces. */
            new_producer_schedule?: components["schemas"]["ProducerAuthoritySchedule"];
            /** @description What the block says about finality. */
            finality_extension?: components["schemas"]["FinalityExtension"];
            /** @description The signature of the producer. */
            producer_signature: components["schemas"]["ProducerSignature"];
            /** @description The transactions of the block, in order. */
            transactions: components["schemas"]["BlockTransaction"][];
            /** @description Signatures of the producer beside the first, where its authority needs more keys. */
            additional_signatures?: {
                /** @description The signatures. */
                signatures: components["schemas"]["Signature"][];
            };
            /** @description The certificate that the block carries. */
            qc_extension?: components["schemas"]["QcExtension"];
            /** @description The id of the block. */
            id: components["schemas"]["BlockId"];
            /**
             * @description The number of the block.
             * @example 140
             */
            block_num: components["schemas"]["Uint32"];
            /**
             * @description The 32 bits of its id that transactions refer to.
             * @example 4008974900
             */
            ref_block_prefix: components["schemas"]["Uint32"];
        };
        /** @description A block by number. */
        GetBlockInfoRequest: {
            /**
             * @description The number of the block.
             * @example 140
             */
            block_num: components["schemas"]["WholeNumber"];
        };
        /** @description The fixed-size part of a block. */
        BlockInfo: {
            /**
             * @description The number of the block.
             * @example 140
             */
            block_num: components["schemas"]["Uint32"];
            /**
             * @description The low 16 bits of that number, which transactions refer to.
             * @example 140
             */
            ref_block_num: number;
            /** @description The id of the block. */
            id: components["schemas"]["BlockId"];
            /** @description The time of the block. */
            timestamp: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The producer of the block; empty for the first block.
             * @example prodb
             */
            producer: components["schemas"]["Name"];
            /**
             * @description How many blocks before it the producer confirms. Once finality is instant it is 0.
             * @example 0
             */
            confirmed: number;
            /** @description The id of the block before. */
            previous: components["schemas"]["BlockId"];
            /** @description The root of the receipts of the transactions of the block. */
            transaction_mroot: components["schemas"]["Sha256"];
            /** @description The root of the actions of the block; with instant finality the root of the finality tree. */
            action_mroot: components["schemas"]["Sha256"];
            /**
             * @description The version of the producer schedule in force. With instant finality a constant marks the block instead.
             * @example 2
             */
            schedule_version: components["schemas"]["Uint32"];
            /** @description The signature of the producer. */
            producer_signature: components["schemas"]["ProducerSignature"];
            /**
             * @description The 32 bits of its id that transactions refer to.
             * @example 4008974900
             */
            ref_block_prefix: components["schemas"]["Uint32"];
        };
        /** @description The header of a block with its signature. */
        SignedBlockHeader: {
            /** @description The time of the block. */
            timestamp: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The producer of the block; empty for the first block.
             * @example prodb
             */
            producer: components["schemas"]["Name"];
            /**
             * @description How many blocks before it the producer confirms. Once finality is instant it is 0.
             * @example 0
             */
            confirmed: number;
            /** @description The id of the block before. */
            previous: components["schemas"]["BlockId"];
            /** @description The root of the receipts of the transactions of the block. */
            transaction_mroot: components["schemas"]["Sha256"];
            /** @description The root of the actions of the block; with instant finality the root of the finality tree. */
            action_mroot: components["schemas"]["Sha256"];
            /**
             * @description The version of the producer schedule in force. With instant finality a constant marks the block instead.
             * @example 2
             */
            schedule_version: components["schemas"]["Uint32"];
            /** @description A producer schedule of the first form that the block announces, or null. */
            new_producers?: components["schemas"]["LegacyProducerSchedule"] | components["schemas"]["Null"];
            /** @description Extensions of the header. */
            header_extensions: components["schemas"]["Extension"][];
            /** @description The signature of the producer. */
            producer_signature: components["schemas"]["ProducerSignature"];
        };
        /** @description The header of a block among fields that former versions of the chain kept with it. Only `block_num`, `id`, `header` and `additional_signatures` are filled; all others are empty or zero. */
        BlockHeaderState: {
            /**
             * @description The number of the block.
             * @example 140
             */
            block_num: components["schemas"]["Uint32"];
            /**
             * @description Always 0.
             * @example 0
             */
            dpos_proposed_irreversible_blocknum: components["schemas"]["Uint32"];
            /**
             * @description Always 0.
             * @example 0
             */
            dpos_irreversible_blocknum: components["schemas"]["Uint32"];
            /**
             * @description Always empty.
             * @example {
             *       "version": 0,
             *       "producers": []
             *     }
             */
            active_schedule: components["schemas"]["ProducerAuthoritySchedule"];
            /** @description Always empty. */
            blockroot_merkle: {
                /**
                 * @description Always empty.
                 * @example []
                 */
                _active_nodes: components["schemas"]["Sha256"][];
                /**
                 * @description Always 0.
                 * @example 0
                 */
                _node_count: components["schemas"]["Unsigned64"];
            };
            /**
             * @description Always empty.
             * @example []
             */
            producer_to_last_produced: components["schemas"]["JsonValue"][];
            /**
             * @description Always empty.
             * @example []
             */
            producer_to_last_implied_irb: components["schemas"]["JsonValue"][];
            /**
             * @description Always an authority without keys.
             * @example [
             *       0,
             *       {
             *         "threshold": 0,
             *         "keys": []
             *       }
             *     ]
             */
            valid_block_signing_authority: components["schemas"]["ProducerAuthority"];
            /**
             * @description Always empty.
             * @example []
             */
            confirm_count: components["schemas"]["Uint32"][];
            /** @description The id of the block. */
            id: components["schemas"]["BlockId"];
            /** @description The header of the block. */
            header: components["schemas"]["SignedBlockHeader"];
            /** @description Always empty. */
            pending_schedule: {
                /**
                 * @description Always 0.
                 * @example 0
                 */
                schedule_lib_num: components["schemas"]["Uint32"];
                /** @description Always zero. */
                schedule_hash: components["schemas"]["Sha256"];
                /**
                 * @description Always empty.
                 * @example {
                 *       "version": 0,
                 *       "producers": []
                 *     }
                 */
                schedule: components["schemas"]["ProducerAuthoritySchedule"];
            };
            /** @description Always null. */
            activated_protocol_features: components["schemas"]["Null"];
            /**
             * @description More signatures of the producer.
             * @example []
             */
            additional_signatures: components["schemas"]["Signature"][];
        };
        /**
         * @description A boolean. 1, 0, "true" and "false" are read as booleans. `null` means that the field is absent.
         * @example true
         */
        OptionalFlag: (boolean | null) | (0 | 1) | ("true" | "false");
        /** @description A block by number or id. */
        GetBlockHeaderRequest: {
            /** @description The block. */
            block_num_or_id: components["schemas"]["BlockNumOrId"];
            /**
             * @description Whether the extensions of the block are included; the whole block must be read for them. Default false.
             * @default false
             * @example false
             */
            include_extensions?: components["schemas"]["OptionalFlag"];
        };
        /** @description The header of a block. */
        GetBlockHeaderResult: {
            /** @description The id of the block. */
            id: components["schemas"]["BlockId"];
            /** @description The header. */
            signed_block_header: components["schemas"]["SignedBlockHeader"];
            /** @description The extensions of the block. Present when they were asked for. */
            block_extensions?: components["schemas"]["Extension"][];
        };
        /** @description A packed transaction of a raw block. */
        RawPackedTransaction: {
            /** @description The signatures that authorize the transaction. */
            signatures: components["schemas"]["Signature"][];
            /**
             * @description How `packed_trx` and `packed_context_free_data` are compressed.
             * @example none
             * @enum {string}
             */
            compression: "none" | "zlib";
            /**
             * @description The packed context-free data; empty when there is none.
             * @example
             */
            packed_context_free_data: components["schemas"]["Hex"];
            /**
             * @description The packed transaction.
             * @example 6c1a0a6b8c00341ae4ee00000000010000000080ab5aa6000000000000a6be010000000000000e3d00000000a8ed323202010600
             */
            packed_trx: components["schemas"]["Hex"];
        };
        /** @description A transaction of a raw block. */
        RawTransactionReceipt: {
            /**
             * @description How the transaction ended.
             * @example executed
             * @enum {string}
             */
            status: "executed" | "soft_fail" | "hard_fail" | "delayed" | "expired";
            /**
             * @description The CPU time that is billed, in microseconds.
             * @example 361
             */
            cpu_usage_us: components["schemas"]["Uint32"];
            /**
             * @description The NET that is billed, in words of 8 bytes.
             * @example 23
             */
            net_usage_words: components["schemas"]["Uint32"];
            /** @description 0 and the id of a deferred transaction, or 1 and the packed transaction. */
            trx: ((0 | 1) | components["schemas"]["Sha256"] | components["schemas"]["RawPackedTransaction"])[];
        };
        /** @description A block as it is stored, nothing decoded. */
        SignedBlock: {
            /** @description The time of the block. */
            timestamp: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The producer of the block; empty for the first block.
             * @example prodb
             */
            producer: components["schemas"]["Name"];
            /**
             * @description How many blocks before it the producer confirms. Once finality is instant it is 0.
             * @example 0
             */
            confirmed: number;
            /** @description The id of the block before. */
            previous: components["schemas"]["BlockId"];
            /** @description The root of the receipts of the transactions of the block. */
            transaction_mroot: components["schemas"]["Sha256"];
            /** @description The root of the actions of the block; with instant finality the root of the finality tree. */
            action_mroot: components["schemas"]["Sha256"];
            /**
             * @description The version of the producer schedule in force. With instant finality a constant marks the block instead.
             * @example 2
             */
            schedule_version: components["schemas"]["Uint32"];
            /** @description A producer schedule of the first form that the block announces, or null. */
            new_producers?: components["schemas"]["LegacyProducerSchedule"] | components["schemas"]["Null"];
            /** @description Extensions of the header. */
            header_extensions: components["schemas"]["Extension"][];
            /** @description The signature of the producer. */
            producer_signature: components["schemas"]["ProducerSignature"];
            /** @description The transactions of the block, in order. */
            transactions: components["schemas"]["RawTransactionReceipt"][];
            /** @description Extensions of the block. */
            block_extensions: components["schemas"]["Extension"][];
        };
        /** @description An account. */
        GetCodeRequest: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
            /**
             * @description Must be true, and is true when absent: the text form of code is no longer made. The specification calls the field required and gives it a default; it may be absent.
             * @default true
             * @example true
             */
            code_as_wasm?: components["schemas"]["OptionalFlag"];
        };
        /**
         * @description A type of a key: an unsigned 64-bit number or a 64-bit floating point number.
         * @example uint64
         * @enum {string}
         */
        KeyType: "uint64" | "double";
        /** @description The description of a contract: its types, actions and tables. */
        Abi: {
            /**
             * @description The version of the form of the ABI.
             * @example eosio::abi/1.2
             */
            version: string;
            /** @description Other names of types. */
            types: {
                /**
                 * @description The new name.
                 * @example label
                 */
                new_type_name: string;
                /**
                 * @description The type that it stands for.
                 * @example string
                 */
                type: string;
            }[];
            /** @description Types with fields. */
            structs: {
                /**
                 * @description The name of the type.
                 * @example transfer
                 */
                name: string;
                /**
                 * @description The type whose fields come first; empty for none.
                 * @example
                 */
                base: string;
                /** @description The fields, in order. */
                fields: {
                    /**
                     * @description The name of the field.
                     * @example from
                     */
                    name: string;
                    /**
                     * @description The type of the field.
                     * @example name
                     */
                    type: string;
                }[];
            }[];
            /** @description The actions. */
            actions: {
                /**
                 * @description The action.
                 * @example transfer
                 */
                name: components["schemas"]["Name"];
                /**
                 * @description The type of its arguments.
                 * @example transfer
                 */
                type: string;
                /**
                 * @description What the action means in words of law.
                 * @example
                 */
                ricardian_contract: string;
            }[];
            /** @description The tables. */
            tables: {
                /**
                 * @description The table.
                 * @example accounts
                 */
                name: components["schemas"]["Name"];
                /**
                 * @description The type of its first index.
                 * @example i64
                 */
                index_type: string;
                /**
                 * @description The names of its keys.
                 * @example [
                 *       "id"
                 *     ]
                 */
                key_names: string[];
                /**
                 * @description The types of its keys. The specification names two; an ABI may name any type.
                 * @example [
                 *       "uint64"
                 *     ]
                 */
                key_types: (components["schemas"]["KeyType"] | string)[];
                /**
                 * @description The type of its rows.
                 * @example account
                 */
                type: string;
            }[];
            /** @description Clauses in words of law. */
            ricardian_clauses: {
                /**
                 * @description The name of the clause.
                 * @example clause
                 */
                id: string;
                /**
                 * @description Its text.
                 * @example A clause.
                 */
                body: string;
            }[];
            /** @description What the error numbers of the contract mean. */
            error_messages: {
                /**
                 * @description The number of an error.
                 * @example 10000000000000000000
                 */
                error_code: components["schemas"]["Unsigned64"];
                /**
                 * @description What it means.
                 * @example overdrawn
                 */
                error_msg: string;
            }[];
            /**
             * @description Extensions of the ABI.
             * @example []
             */
            abi_extensions: components["schemas"]["Extension"][];
            /** @description Types that hold one of several. */
            variants?: {
                /**
                 * @description The name of the type.
                 * @example variant_t
                 */
                name: string;
                /**
                 * @description The types that it may hold.
                 * @example [
                 *       "uint64"
                 *     ]
                 */
                types: string[];
            }[];
            /** @description What actions return. */
            action_results?: {
                /**
                 * @description The action.
                 * @example run
                 */
                name: components["schemas"]["Name"];
                /**
                 * @description The type of the value that it returns.
                 * @example uint16
                 */
                result_type: string;
            }[];
            /** @description Tables of a kind that the chain no longer has. */
            kv_tables?: {
                [key: string]: unknown;
            };
        };
        /** @description The code of an account. */
        GetCodeResult: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
            /**
             * @description The account again, under the name that the specification gives it.
             * @example eosio.token
             */
            name: components["schemas"]["Name"];
            /** @description The SHA-256 of the code; zero when there is none. */
            code_hash: components["schemas"]["Sha256"];
            /**
             * @description The code as text. The chain no longer makes this form: always empty.
             * @example
             */
            wast: string;
            /**
             * @description The code as WebAssembly, its bytes read as UTF-8 with everything left out that is not UTF-8. The code cannot be restored from it: get_raw_code_and_abi answers it whole.
             * @example
             */
            wasm: string;
            /** @description The ABI. Absent when the account has none. */
            abi?: components["schemas"]["Abi"];
        };
        /** @description The digest of the code of an account. */
        GetCodeHashResult: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
            /** @description The SHA-256 of the code; zero when there is none. */
            code_hash: components["schemas"]["Sha256"];
        };
        /** @description An account. */
        GetCodeHashRequest: {
            /**
             * @description The account. It may be absent, but not `null`.
             * @example eosio.token
             */
            account_name?: components["schemas"]["Name"];
        };
        /** @description An account. */
        AccountNameRequest: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
        };
        /** @description The ABI of an account. */
        GetAbiResult: {
            /** @description The account. */
            account_name: components["schemas"]["Name"];
            /** @description Its ABI. Absent when the account has none. */
            abi?: components["schemas"]["Abi"];
        };
        /**
         * @description Bytes in base64 (RFC 4648, padded).
         * @example AGFzbQEAAAA=
         */
        Base64: string;
        /** @description The code and the ABI of an account in base64. */
        GetRawCodeAndAbiResult: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
            /** @description The code. */
            wasm: components["schemas"]["Base64"];
            /** @description The packed ABI. */
            abi: components["schemas"]["Base64"];
        };
        /** @description An account. */
        GetRawAbiRequest: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
            /**
             * @description The digest of an ABI that the caller has. When the account still has that ABI, the answer omits it. `null` means that the field is absent.
             * @example 9371fb05f023fcc78b23923d70bdfe6642cdf1956d120045bcd1371e05c961a9
             */
            abi_hash?: string | null;
        };
        /** @description The packed ABI of an account in base64. */
        GetRawAbiResult: {
            /**
             * @description The account.
             * @example eosio.token
             */
            account_name: components["schemas"]["Name"];
            /** @description The SHA-256 of the code; zero when there is none. */
            code_hash: components["schemas"]["Sha256"];
            /** @description The SHA-256 of the packed ABI. */
            abi_hash: components["schemas"]["Sha256"];
            /** @description The packed ABI. Absent when the request named its digest, so that the caller has it already. */
            abi?: components["schemas"]["Base64"];
        };
        /**
         * @description A string. A JSON number is read as its decimal text. `null` means that the field is absent.
         * @example alice
         */
        OptionalText: (string | null) | number;
        /**
         * @description How many rows at most: an integer, or a string of decimal digits; -1 asks for as many as the node gives. `null` means that the field is absent.
         * @example 10
         */
        OptionalLimit: (number | null) | string;
        /**
         * @description A whole number from 0 to 4294967295: an integer, or a string of decimal digits. `null` means that the field is absent.
         * @example 10
         */
        OptionalWholeNumber: (number | null) | string;
        /** @description Which rows of a table. */
        GetTableRowsRequest: {
            /**
             * @description The contract.
             * @example eosio.token
             */
            code: components["schemas"]["Name"];
            /**
             * @description The scope: a name, a decimal number or the code of a symbol. A text of digits alone is a number, even where it is a name too.
             * @example alice
             */
            scope: components["schemas"]["Text"];
            /**
             * @description The table.
             * @example accounts
             */
            table: components["schemas"]["Name"];
            /**
             * @description The index by which rows are ordered: 1, `first`, `primary` for the primary one (default), 2, `second`, `secondary` and so on to 10, `tenth`.
             * @example primary
             */
            index_position?: components["schemas"]["OptionalText"];
            /**
             * @description The type of the key of that index: `i64`, `i128`, `i256`, `float64`, `float128`, `sha256`, `ripemd160` or `name`. Default i64 for the primary index.
             * @example i64
             */
            key_type?: components["schemas"]["OptionalText"];
            /**
             * @description How keys are written: `dec` (default) or `hex`.
             * @default dec
             * @example dec
             */
            encode_type?: components["schemas"]["OptionalText"];
            /**
             * @description The first key, inclusive. For a 64-bit key: a decimal number, a name, or a symbol; a text of digits alone is a number. When `key_type` is `name`: a name, or a number that is not a name.
             * @example SYS
             */
            lower_bound?: components["schemas"]["OptionalText"];
            /**
             * @description The last key, inclusive, in the same forms.
             * @example SYS
             */
            upper_bound?: components["schemas"]["OptionalText"];
            /**
             * @description How many rows at most. Default 10; never more than 1000.
             * @default 10
             * @example 10
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description Whether to go from the last key to the first. Default false.
             * @default false
             * @example false
             */
            reverse?: components["schemas"]["OptionalFlag"];
            /**
             * @description Where the page begins: the `next_page` of the page before, with all other fields as they were. It stands in place of `lower_bound` (of `upper_bound` in reverse); the other bound still holds. One that belongs to another contract, scope, table, index or direction is refused with 400 `invalid_http_request`. Empty or `null` is the first page.
             * @example 005530ea033482a600345c85000000000032114d4f380000000000000000535953
             */
            next_page?: string | null;
            /**
             * @description Whether the account that pays for each row is included. Default false.
             * @default false
             * @example false
             */
            show_payer?: components["schemas"]["OptionalFlag"];
            /**
             * @description Whether to decode rows with the ABI of the contract; else they are hexadecimal. Default false.
             * @default false
             * @example true
             */
            json?: components["schemas"]["OptionalFlag"];
            /**
             * @description Ignored; clients of former versions send it.
             * @example
             */
            table_key?: components["schemas"]["OptionalText"];
            /**
             * @description How long the node may search, in milliseconds, at most its own limit for a response. Pages are bounded by `limit`, so that a page does not depend on the speed of the node.
             * @example 10
             */
            time_limit_ms?: components["schemas"]["OptionalWholeNumber"];
        };
        /** @description Rows of a table. */
        GetTableRowsResult: {
            /** @description The rows: objects when JSON was asked for, else their bytes in hexadecimal. With `show_payer` each is `{data, payer}`. */
            rows: components["schemas"]["JsonValue"][];
            /**
             * @description Whether there are more rows.
             * @example false
             */
            more: boolean;
            /**
             * @description The key of the first row that is not here, empty when there is none: a decimal number or hexadecimal digits, as the reference prints it. Sent as `lower_bound` (as `upper_bound` in reverse) the next page starts with the first row of that key, so rows that share a secondary key may come again, and no page passes more than `limit` rows of one key. A name is its number here, and a float has 17 digits after the point, so that not every key can be sent back. `next_page` has none of these limits.
             * @example
             */
            next_key: string;
            /**
             * @description The exact place of the first row that is not here; send the request again with it as `next_page` to get the next page. Absent when there is none. Every row comes once, however many share a key; rows that are added or removed meanwhile are read as they are then. It stays valid for as long as the table exists. Its text is not to be taken apart.
             * @example 005530ea033482a600345c85000000000032114d4f380000000000000000535953
             */
            next_page?: string;
        };
        /** @description Which tables of a contract. */
        GetTableByScopeRequest: {
            /**
             * @description The contract.
             * @example probe
             */
            code: components["schemas"]["Name"];
            /**
             * @description Only this table; absent for all. It is not `null`.
             * @example points
             */
            table?: components["schemas"]["Name"];
            /**
             * @description The first scope: a name or a decimal number. A text of digits alone is a number, even where it is a name too. A scope and a table of it (`alice:accounts`) begin within the scope.
             * @example a
             */
            lower_bound?: components["schemas"]["OptionalText"];
            /**
             * @description The last scope, inclusive, in the same forms.
             * @example z
             */
            upper_bound?: components["schemas"]["OptionalText"];
            /**
             * @description How many tables at most. Default 10; never more than 1000.
             * @default 10
             * @example 10
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description Whether to go from the last scope to the first. Default false.
             * @default false
             * @example false
             */
            reverse?: components["schemas"]["OptionalFlag"];
            /**
             * @description Ignored: the payer is always returned. Default false.
             * @default false
             * @example false
             */
            show_payer?: components["schemas"]["OptionalFlag"];
            /**
             * @description How long the node may search, in milliseconds, at most its own limit for a response. Pages are bounded by `limit`, so that a page does not depend on the speed of the node.
             * @example 10
             */
            time_limit_ms?: components["schemas"]["OptionalWholeNumber"];
        };
        /** @description A table that exists in a scope. */
        TableByScopeRow: {
            /**
             * @description The contract.
             * @example probe
             */
            code: components["schemas"]["Name"];
            /**
             * @description The scope.
             * @example alice
             */
            scope: components["schemas"]["Name"];
            /**
             * @description The table.
             * @example points
             */
            table: components["schemas"]["Name"];
            /**
             * @description The account that pays for it.
             * @example probe
             */
            payer: components["schemas"]["Name"];
            /**
             * @description The number of rows.
             * @example 1
             */
            count: components["schemas"]["Uint32"];
        };
        /** @description The tables of a contract by scope. */
        GetTableByScopeResult: {
            /** @description The tables. */
            rows: components["schemas"]["TableByScopeRow"][];
            /**
             * @description The scope with which the next page starts; empty at the end. Send it as `lower_bound` (as `upper_bound` in reverse). Where a page ends among the tables of one scope, the name of the table follows after a colon (`alice:accounts`), and bounds take that form. A scope whose name has digits alone is its number, because a bound of digits is a number.
             * @example
             */
            more: string;
        };
        /** @description Balances of an account. */
        GetCurrencyBalanceRequest: {
            /**
             * @description The contract of the tokens.
             * @example eosio.token
             */
            code: components["schemas"]["Name"];
            /**
             * @description The account.
             * @example alice
             */
            account: components["schemas"]["Name"];
            /**
             * @description Only this token: the code of its symbol (`SYS`). An amount (`1.0000 SYS`) and a symbol with precision (`4,SYS`) are taken for their code. A text that is not a symbol names no token. `null` means that the field is absent.
             * @example SYS
             */
            symbol?: components["schemas"]["OptionalText"];
        };
        /**
         * @description The balances of the account, one for each token of the contract.
         * @example [
         *       "999944.9985 SYS"
         *     ]
         */
        GetCurrencyBalanceResult: components["schemas"]["Symbol"][];
        /** @description A token. */
        GetCurrencyStatsRequest: {
            /**
             * @description The contract of the token.
             * @example eosio.token
             */
            code: components["schemas"]["Name"];
            /**
             * @description The token: the code of its symbol (`SYS`). An amount (`1.0000 SYS`) and a symbol with precision (`4,SYS`) are taken for their code. A text that is not a symbol names no token. `null` means that the field is absent.
             * @example SYS
             */
            symbol?: components["schemas"]["OptionalText"];
        };
        /** @description A token. */
        CurrencyStats: {
            /**
             * @description The amount in circulation.
             * @example 1000000.0000 SYS
             */
            supply: components["schemas"]["Symbol"];
            /**
             * @description The amount that there may be.
             * @example 1000000000.0000 SYS
             */
            max_supply: components["schemas"]["Symbol"];
            /**
             * @description The account that may issue it.
             * @example alice
             */
            issuer: components["schemas"]["Name"];
        };
        /**
         * @description The token by its code. Empty when there is no such token.
         * @example {
         *       "SYS": {
         *         "supply": "1000000.0000 SYS",
         *         "max_supply": "1000000000.0000 SYS",
         *         "issuer": "alice"
         *       }
         *     }
         */
        GetCurrencyStatsResult: {
            [key: string]: components["schemas"]["CurrencyStats"];
        };
        /** @description An action of a request. The specification asks for 5 properties in answers; a request may omit `hex_data`, and `data` may be the packed bytes in hexadecimal or JSON, which the node packs with the ABI of the contract where that is said. */
        ActionInput: {
            /**
             * @description The contract.
             * @example eosio.token
             */
            account: components["schemas"]["Name"];
            /**
             * @description The action of the contract.
             * @example transfer
             */
            name: components["schemas"]["Name"];
            /**
             * @description The permissions that the action declares.
             * @example [
             *       {
             *         "actor": "alice",
             *         "permission": "active"
             *       }
             *     ]
             */
            authorization: components["schemas"]["PermissionLevel"][];
            /**
             * @description The arguments: packed bytes in hexadecimal, or a JSON object. Anything else counts as absent.
             * @example 000000000000855c340000000000000e3d102700000000000004535953000000000168
             */
            data?: unknown;
            /**
             * @description The packed arguments in hexadecimal. They count where `data` has none.
             * @example 000000000000855c340000000000000e3d102700000000000004535953000000000168
             */
            hex_data?: string | null;
        };
        /** @description A transaction of a request, not packed. Clients leave out limits, delay and context-free actions where there are none, as eosjs does. */
        TransactionInput: {
            /**
             * @description When the transaction can no longer enter a block, in whole seconds of UTC. A fraction of a second and a final `Z` are ignored.
             * @example 2030-01-01T00:00:00
             */
            expiration: string;
            /**
             * @description The low 16 bits of the number of a recent block.
             * @example 1
             */
            ref_block_num: components["schemas"]["WholeNumber"];
            /**
             * @description 32 bits of the id of that block.
             * @example 2
             */
            ref_block_prefix: components["schemas"]["WholeNumber"];
            /**
             * @description The NET that the transaction may use, in words of 8 bytes; 0 means no limit of its own.
             * @example 0
             */
            max_net_usage_words?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The CPU time that the transaction may use, in milliseconds; 0 means no limit of its own.
             * @example 0
             */
            max_cpu_usage_ms?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description How long the transaction waits before it runs, in seconds.
             * @example 0
             */
            delay_sec?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description Actions that read no state and need no authority.
             * @example []
             */
            context_free_actions?: components["schemas"]["ActionInput"][] | null;
            /** @description The actions, in order. */
            actions: components["schemas"]["ActionInput"][];
            /**
             * @description Extensions of the transaction.
             * @example []
             */
            transaction_extensions?: components["schemas"]["Extension"][] | null;
        };
        /** @description A transaction and the keys at hand. */
        GetRequiredKeysRequest: {
            /** @description The transaction. */
            transaction: components["schemas"]["TransactionInput"];
            /**
             * @description The keys at hand.
             * @example [
             *       "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
             *     ]
             */
            available_keys: components["schemas"]["PublicKey"][];
        };
        /** @description The keys that must sign. */
        GetRequiredKeysResult: {
            /** @description The fewest of the available keys that authorize the transaction. */
            required_keys: components["schemas"]["PublicKey"][];
        };
        /**
         * @description How many rows at most: an integer, or a string of decimal digits; -1 asks for as many as the node gives.
         * @example 10
         */
        Limit: number | string;
        /** @description Which producers. */
        GetProducersRequest: {
            /**
             * @description How many producers at most; never more than 1000.
             * @example 50
             */
            limit: components["schemas"]["Limit"];
            /**
             * @description The producer from which to start; empty for the first. The specification shows a 32-bit number, which is taken for its decimal text; 0 is the first.
             * @example
             */
            lower_bound: components["schemas"]["Text"];
            /**
             * @description Whether to decode the rows; else they are hexadecimal. It must be there; `null` is false.
             * @example true
             */
            json: components["schemas"]["OptionalFlag"];
            /**
             * @description How long the node may search, in milliseconds, at most its own limit for a response. Pages are bounded by `limit`, so that a page does not depend on the speed of the node.
             * @example 10
             */
            time_limit_ms?: components["schemas"]["OptionalWholeNumber"];
        };
        /** @description A producer as the system contract stores it. Fields beyond these are those of its ABI. */
        ProducerRow: {
            /**
             * @description The producer.
             * @example prodb
             */
            owner: components["schemas"]["Name"];
            /** @description Who signs its blocks. */
            producer_authority?: components["schemas"]["ProducerAuthority"];
            /**
             * @description A page about the producer.
             * @example https://prodb.example
             */
            url?: string;
            /**
             * @description The votes for it, a decimal string.
             * @example 9000000000000000.00000000000000000
             */
            total_votes?: string;
            /** @description The key that signs its blocks, where there is only one. */
            producer_key?: components["schemas"]["PublicKey"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A 64-bit floating point number as a decimal string with 17 digits after the point, or `inf`, `-inf`, `nan`.
         * @example 98765432109876.50000000000000000
         */
        Float64: string;
        /** @description Producers, those with the most votes first. */
        GetProducersResult: {
            /** @description The producers: objects, or their bytes in hexadecimal when `json` is false. Without a system contract they are the active schedule. */
            rows: (components["schemas"]["ProducerRow"] | components["schemas"]["Hex"])[];
            /** @description The sum of all votes. */
            total_producer_vote_weight: components["schemas"]["Float64"];
            /**
             * @description The producer with which the next page starts; empty at the end. Send it as `lower_bound`.
             * @example
             */
            more: string;
        };
        /** @description The producer schedules. */
        GetProducerScheduleResult: {
            /** @description The schedule in force. */
            active: components["schemas"]["ProducerAuthoritySchedule"] | components["schemas"]["Null"];
            /** @description The schedule that takes effect next, or null. */
            pending: components["schemas"]["ProducerAuthoritySchedule"] | components["schemas"]["Null"];
            /** @description The schedule that was proposed, or null. */
            proposed: components["schemas"]["ProducerAuthoritySchedule"] | components["schemas"]["Null"];
        };
        /** @description Which deferred transactions. */
        GetScheduledTransactionsRequest: {
            /**
             * @description Whether to decode the transactions; else they are hexadecimal. It must be there; `null` is false.
             * @example true
             */
            json: components["schemas"]["OptionalFlag"];
            /**
             * @description From which time on (`2026-01-01T00:00:00.000`), or the id of a transaction.
             * @example
             */
            lower_bound?: components["schemas"]["OptionalText"];
            /**
             * @description How many transactions at most. Default 50; never more than 1000.
             * @default 50
             * @example 50
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description How long the node may search, in milliseconds, at most its own limit for a response. Pages are bounded by `limit`, so that a page does not depend on the speed of the node.
             * @example 10
             */
            time_limit_ms?: components["schemas"]["OptionalWholeNumber"];
        };
        /** @description A deferred transaction. */
        ScheduledTransaction: {
            /** @description Its id. */
            trx_id: components["schemas"]["Sha256"];
            /**
             * @description The contract that made it; empty when a user delayed it.
             * @example probe
             */
            sender: components["schemas"]["Name"];
            /**
             * @description The number that its sender gave it, 128 bits, a decimal string.
             * @example 7
             */
            sender_id: string | number;
            /**
             * @description The account that pays for it.
             * @example probe
             */
            payer: components["schemas"]["Name"];
            /** @description When it may run. */
            delay_until: components["schemas"]["DateTimeSeconds"];
            /** @description When it can no longer run. */
            expiration: components["schemas"]["DateTimeSeconds"];
            /** @description When it was made. */
            published: components["schemas"]["DateTimeSeconds"];
            /** @description The transaction: decoded, or packed in hexadecimal when `json` is false. */
            transaction: components["schemas"]["Transaction"] | components["schemas"]["Hex"];
        };
        /** @description Deferred transactions by the time when they may run. */
        GetScheduledTransactionsResult: {
            /** @description The transactions. */
            transactions: components["schemas"]["ScheduledTransaction"][];
            /**
             * @description The id of the first transaction that is not here; send it as `lower_bound` to get the next page. Empty at the end.
             * @example
             */
            more: string;
        };
        /** @description A context-free action whose data is packed. `hex_data` is not looked at. */
        PackedContextFreeAction: {
            /**
             * @description The contract.
             * @example eosio.token
             */
            account: components["schemas"]["Name"];
            /**
             * @description The action of the contract.
             * @example transfer
             */
            name: components["schemas"]["Name"];
            /**
             * @description The permissions that the action declares.
             * @example [
             *       {
             *         "actor": "alice",
             *         "permission": "active"
             *       }
             *     ]
             */
            authorization: components["schemas"]["PermissionLevel"][];
            /** @description The packed arguments in hexadecimal. */
            data?: components["schemas"]["Hex"];
        };
        /** @description An action whose data is packed, in `data` or in `hex_data`; the latter wins. */
        PackedActionInput: {
            /**
             * @description The contract.
             * @example eosio.token
             */
            account: components["schemas"]["Name"];
            /**
             * @description The action of the contract.
             * @example transfer
             */
            name: components["schemas"]["Name"];
            /**
             * @description The permissions that the action declares.
             * @example [
             *       {
             *         "actor": "alice",
             *         "permission": "active"
             *       }
             *     ]
             */
            authorization: components["schemas"]["PermissionLevel"][];
            /**
             * @description The packed arguments in hexadecimal, unless `hex_data` has them; then it may be anything.
             * @example 000000000000855c340000000000000e3d102700000000000004535953000000000168
             */
            data?: unknown;
            /**
             * @description The packed arguments in hexadecimal.
             * @example 000000000000855c340000000000000e3d102700000000000004535953000000000168
             */
            hex_data?: string | null;
        };
        /** @description A transaction whose id is asked for. The data of its actions must be hexadecimal. Clients leave out limits, delay and context-free actions where there are none, as eosjs does. */
        GetTransactionIdRequest: {
            /**
             * @description When the transaction can no longer enter a block, in whole seconds of UTC. A fraction of a second and a final `Z` are ignored.
             * @example 2030-01-01T00:00:00
             */
            expiration: string;
            /**
             * @description The low 16 bits of the number of a recent block.
             * @example 1
             */
            ref_block_num: components["schemas"]["WholeNumber"];
            /**
             * @description 32 bits of the id of that block.
             * @example 2
             */
            ref_block_prefix: components["schemas"]["WholeNumber"];
            /**
             * @description The NET that the transaction may use, in words of 8 bytes; 0 means no limit of its own.
             * @example 0
             */
            max_net_usage_words?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The CPU time that the transaction may use, in milliseconds; 0 means no limit of its own.
             * @example 0
             */
            max_cpu_usage_ms?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description How long the transaction waits before it runs, in seconds.
             * @example 0
             */
            delay_sec?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description Actions that read no state and need no authority.
             * @example []
             */
            context_free_actions?: components["schemas"]["PackedContextFreeAction"][] | null;
            /** @description The actions, in order. */
            actions: components["schemas"]["PackedActionInput"][];
            /**
             * @description Extensions of the transaction.
             * @example []
             */
            transaction_extensions?: components["schemas"]["Extension"][] | null;
        };
        /**
         * @description The id of the transaction: the SHA-256 of its packed form.
         * @example a0bb01e3a4d08adb3db59b0986be54beaa6f0e08a712ddc87fea4b751fd5d613
         */
        GetTransactionIdResult: string;
        /** @description A property of a protocol feature. */
        FeatureSpecification: {
            /**
             * @description The name of the property.
             * @example builtin_feature_codename
             */
            name: string;
            /**
             * @description Its value.
             * @example PREACTIVATE_FEATURE
             */
            value: string;
        };
        /** @description A protocol feature that is active. */
        ActivatedProtocolFeature: {
            /** @description The digest that names it. */
            feature_digest: components["schemas"]["Sha256"];
            /**
             * @description Its place in the order of activation, from 0.
             * @example 0
             */
            activation_ordinal: components["schemas"]["Uint32"];
            /**
             * @description The block that activated it.
             * @example 10
             */
            activation_block_num: components["schemas"]["Uint32"];
            /** @description The digest of its description. */
            description_digest: components["schemas"]["Sha256"];
            /**
             * @description The features that must be active before it.
             * @example []
             */
            dependencies: components["schemas"]["Sha256"][];
            /**
             * @description The kind of feature.
             * @example builtin
             */
            protocol_feature_type: string;
            /** @description Its properties. */
            specification: components["schemas"]["FeatureSpecification"][];
        };
        /** @description The protocol features that are active. */
        GetActivatedProtocolFeaturesResult: {
            /** @description The features, by ordinal or by block. */
            activated_protocol_features: components["schemas"]["ActivatedProtocolFeature"][];
            /**
             * @description The ordinal or the block with which the next page starts. Absent at the end.
             * @example 3
             */
            more?: number;
        };
        /** @description Which protocol features. */
        ActivatedProtocolFeaturesParams: {
            /**
             * @description Whether the bounds are block numbers; else they are ordinals. Default false.
             * @default false
             * @example false
             */
            search_by_block_num?: components["schemas"]["OptionalFlag"];
            /**
             * @description Whether the last come first. Default false.
             * @default false
             * @example false
             */
            reverse?: components["schemas"]["OptionalFlag"];
            /**
             * @description The first ordinal or block.
             * @example 0
             */
            lower_bound?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The last ordinal or block, inclusive.
             * @example 100
             */
            upper_bound?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description How many features at most. Accepted and ignored, because all features are returned.
             * @example 10
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description Accepted and ignored.
             * @example 10
             */
            time_limit_ms?: components["schemas"]["OptionalWholeNumber"];
        };
        /** @description Which protocol features, in an envelope. */
        WrappedActivatedProtocolFeaturesParams: {
            /** @description Which protocol features. */
            params: components["schemas"]["ActivatedProtocolFeaturesParams"];
        };
        /**
         * @description Which protocol features: in the envelope `params` as the specification shows, or flat as clients send it.
         * @example {
         *       "search_by_block_num": false,
         *       "reverse": false,
         *       "lower_bound": 0
         *     }
         */
        GetActivatedProtocolFeaturesRequest: components["schemas"]["WrappedActivatedProtocolFeaturesParams"] | components["schemas"]["ActivatedProtocolFeaturesParams"];
        /** @description The parameters of the chain. */
        ChainConfig: {
            /**
             * @description The NET of a block, in bytes.
             * @example 1048576
             */
            max_block_net_usage: components["schemas"]["Unsigned64"];
            /**
             * @description The NET that a block should use, in hundredths of a percent.
             * @example 1000
             */
            target_block_net_usage_pct: components["schemas"]["Uint32"];
            /**
             * @description The NET of a transaction, in bytes.
             * @example 524288
             */
            max_transaction_net_usage: components["schemas"]["Uint32"];
            /**
             * @description The minimum NET billed for a transaction, in bytes.
             * @example 12
             */
            base_per_transaction_net_usage: components["schemas"]["Uint32"];
            /**
             * @description By how much the NET billed may fall behind, in bytes.
             * @example 500
             */
            net_usage_leeway: components["schemas"]["Uint32"];
            /**
             * @description The discount for context-free data: numerator.
             * @example 20
             */
            context_free_discount_net_usage_num: components["schemas"]["Uint32"];
            /**
             * @description The discount for context-free data: denominator.
             * @example 100
             */
            context_free_discount_net_usage_den: components["schemas"]["Uint32"];
            /**
             * @description The CPU time of a block, in microseconds.
             * @example 200000
             */
            max_block_cpu_usage: components["schemas"]["Uint32"];
            /**
             * @description The CPU time that a block should use, in hundredths of a percent.
             * @example 1000
             */
            target_block_cpu_usage_pct: components["schemas"]["Uint32"];
            /**
             * @description The CPU time of a transaction, in microseconds.
             * @example 150000
             */
            max_transaction_cpu_usage: components["schemas"]["Uint32"];
            /**
             * @description The minimum CPU time billed for a transaction, in microseconds.
             * @example 100
             */
            min_transaction_cpu_usage: components["schemas"]["Uint32"];
            /**
             * @description How far ahead a transaction may expire, in seconds.
             * @example 3600
             */
            max_transaction_lifetime: components["schemas"]["Uint32"];
            /**
             * @description How long a deferred transaction may run after its time, in seconds.
             * @example 600
             */
            deferred_trx_expiration_window: components["schemas"]["Uint32"];
            /**
             * @description How long a transaction may be delayed, in seconds.
             * @example 3888000
             */
            max_transaction_delay: components["schemas"]["Uint32"];
            /**
             * @description The size of an inline action, in bytes.
             * @example 4096
             */
            max_inline_action_size: components["schemas"]["Uint32"];
            /**
             * @description How deep inline actions may nest.
             * @example 6
             */
            max_inline_action_depth: components["schemas"]["Uint32"];
            /**
             * @description How deep authorities may nest.
             * @example 6
             */
            max_authority_depth: components["schemas"]["Uint32"];
            /**
             * @description The size of the value that an action may return, in bytes. Present once the feature ACTION_RETURN_VALUE is active.
             * @example 256
             */
            max_action_return_value_size?: components["schemas"]["Uint32"];
        };
        /** @description The limits of the code of contracts. */
        WasmConfig: {
            /**
             * @description The mutable globals of a module, in bytes.
             * @example 1024
             */
            max_mutable_global_bytes: components["schemas"]["Uint32"];
            /**
             * @description The elements of a table.
             * @example 1024
             */
            max_table_elements: components["schemas"]["Uint32"];
            /**
             * @description The elements of a section.
             * @example 8192
             */
            max_section_elements: components["schemas"]["Uint32"];
            /**
             * @description The memory that a module initializes, in bytes.
             * @example 65536
             */
            max_linear_memory_init: components["schemas"]["Uint32"];
            /**
             * @description The local variables of a function, in bytes.
             * @example 8192
             */
            max_func_local_bytes: components["schemas"]["Uint32"];
            /**
             * @description How deep blocks may nest.
             * @example 1024
             */
            max_nested_structures: components["schemas"]["Uint32"];
            /**
             * @description The length of a name, in bytes.
             * @example 8192
             */
            max_symbol_bytes: components["schemas"]["Uint32"];
            /**
             * @description The size of a module, in bytes.
             * @example 20971520
             */
            max_module_bytes: components["schemas"]["Uint32"];
            /**
             * @description The size of a function, in bytes.
             * @example 20971520
             */
            max_code_bytes: components["schemas"]["Uint32"];
            /**
             * @description The memory of a module, in pages of 64 KiB.
             * @example 528
             */
            max_pages: components["schemas"]["Uint32"];
            /**
             * @description How deep calls may nest.
             * @example 251
             */
            max_call_depth: components["schemas"]["Uint32"];
        };
        /** @description The parameters of the chain. */
        GetConsensusParametersResult: {
            /** @description The parameters of the chain. */
            chain_config: components["schemas"]["ChainConfig"];
            /** @description The limits of the code of contracts. Present once the feature CONFIGURABLE_WASM_LIMITS2 is active. */
            wasm_config?: components["schemas"]["WasmConfig"];
        };
        /** @description The finalizers of the chain. */
        FinalizerPolicy: {
            /**
             * @description The number of the policy; every change raises it.
             * @example 2
             */
            generation: components["schemas"]["Uint32"];
            /**
             * @description The sum of weights that makes a block final.
             * @example 2
             */
            threshold: components["schemas"]["Unsigned64"];
            /** @description The finalizers. */
            finalizers: components["schemas"]["FinalizerAuthority"][];
        };
        /** @description The last vote of a finalizer. */
        TrackedVote: {
            /**
             * @description The text that names the finalizer.
             * @example finalizer one
             */
            description: string;
            /** @description Its key. */
            public_key: components["schemas"]["BlsPublicKey"];
            /**
             * @description Whether the vote was strong.
             * @example true
             */
            is_vote_strong: boolean;
            /**
             * @description The policy under which it voted.
             * @example 1
             */
            finalizer_policy_generation: components["schemas"]["Uint32"];
            /** @description The block that it voted for. */
            voted_for_block_id: components["schemas"]["BlockId"];
            /**
             * @description The number of that block.
             * @example 64
             */
            voted_for_block_num: components["schemas"]["Uint32"];
            /** @description The time of that block. */
            voted_for_block_timestamp: components["schemas"]["DateTimeSeconds"];
        };
        /** @description The finalizers of the chain and their last votes. */
        GetFinalizerInfoResult: {
            /** @description The policy in force, or null before instant finality. */
            active_finalizer_policy: components["schemas"]["FinalizerPolicy"] | components["schemas"]["Null"];
            /** @description The policy that takes effect next, or null. */
            pending_finalizer_policy: components["schemas"]["FinalizerPolicy"] | components["schemas"]["Null"];
            /** @description The last vote of each finalizer that the node saw. */
            last_tracked_votes: components["schemas"]["TrackedVote"][];
        };
        /** @description A transaction. */
        GetTransactionStatusRequest: {
            /** @description The id of the transaction. */
            id: components["schemas"]["Sha256"];
        };
        /** @description Where a transaction stands. */
        TransactionStatus: {
            /**
             * @description Where it stands: `LOCALLY_APPLIED` (accepted by this node, not in a block), `IN_BLOCK`, `FORKED_OUT` (its block left the chain), `IRREVERSIBLE`, `FAILED` (it expired without entering a block) or `UNKNOWN` (never seen, or forgotten after the retention time).
             * @example IRREVERSIBLE
             * @enum {string}
             */
            state: "LOCALLY_APPLIED" | "IN_BLOCK" | "FORKED_OUT" | "IRREVERSIBLE" | "FAILED" | "UNKNOWN";
            /**
             * @description The number of its block. Absent when it is in none.
             * @example 114
             */
            block_number?: components["schemas"]["Uint32"];
            /** @description The id of its block. */
            block_id?: components["schemas"]["BlockId"];
            /** @description The time of its block. */
            block_timestamp?: components["schemas"]["DateTimeSeconds"];
            /** @description When the transaction expires. Absent when it is unknown. */
            expiration?: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The number of the newest block.
             * @example 140
             */
            head_number: components["schemas"]["Uint32"];
            /** @description The id of the newest block. */
            head_id: components["schemas"]["BlockId"];
            /** @description The time of the newest block. */
            head_timestamp: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The number of the newest final block.
             * @example 140
             */
            irreversible_number: components["schemas"]["Uint32"];
            /** @description The id of the newest final block. */
            irreversible_id: components["schemas"]["BlockId"];
            /** @description The time of the newest final block. */
            irreversible_timestamp: components["schemas"]["DateTimeSeconds"];
            /** @description The id of the oldest block whose transactions are remembered. */
            earliest_tracked_block_id: components["schemas"]["BlockId"];
            /**
             * @description The number of that block.
             * @example 9
             */
            earliest_tracked_block_number: components["schemas"]["Uint32"];
            /** @description The id of the newest block whose transactions are remembered. */
            last_tracked_block_id: components["schemas"]["BlockId"];
        };
        /** @description Accounts and keys. At least one field must be there. */
        GetAccountsByAuthorizersRequest: {
            /**
             * @description Accounts, or permissions of accounts.
             * @example [
             *       "alice",
             *       {
             *         "actor": "bob",
             *         "permission": "active"
             *       }
             *     ]
             */
            accounts?: (components["schemas"]["Name"] | components["schemas"]["PermissionLevel"])[] | null;
            /**
             * @description Keys.
             * @example [
             *       "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
             *     ]
             */
            keys?: components["schemas"]["PublicKey"][] | null;
            /**
             * @description How many rows at most. Default 1000; never more.
             * @default 1000
             * @example 1000
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description Where to begin, as `more` of the page before has it: an authorizer, its weight and the number of the permission. Accounts and keys must be the same. Empty or `null` is the first page.
             * @example alice@active/1/12
             */
            lower_bound?: string | null;
        };
        /** @description A permission that an authorizer can act with. */
        AccountAuthorization: {
            /**
             * @description The account.
             * @example dave
             */
            account_name: components["schemas"]["Name"];
            /**
             * @description Its permission.
             * @example active
             */
            permission_name: components["schemas"]["Name"];
            /** @description The permission that authorizes it. */
            authorizing_account?: components["schemas"]["PermissionLevel"];
            /** @description The key that authorizes it. */
            authorizing_key?: components["schemas"]["PublicKey"];
            /**
             * @description What the authorizer adds towards the threshold.
             * @example 1
             */
            weight: number;
            /**
             * @description The sum of weights that is needed.
             * @example 2
             */
            threshold: number;
        };
        /** @description The permissions that the authorizers can act with. */
        GetAccountsByAuthorizersResult: {
            /** @description One row for each permission and authorizer. */
            accounts: components["schemas"]["AccountAuthorization"][];
            /**
             * @description The start of the next page, as `account@permission/weight/number` or `key/weight/number`; absent when all rows are here. Send it as `lower_bound`, with the same accounts and keys.
             * @example alice@active/1/12
             */
            more?: string;
        };
        /**
         * @description How `packed_trx` and `packed_context_free_data` are compressed: `false`, 0 or `none` for not at all; `true`, 1 or `zlib` for zlib. `null` is none, too. Other numbers and texts are refused, fractions among them.
         * @example none
         */
        Compression: (boolean | null) | (0 | 1) | ("none" | "zlib");
        /** @description A signed transaction in its packed form, ready to be submitted. */
        PackedTransaction: {
            /** @description The signatures that authorize the transaction. An operation that needs signatures answers an error when they are absent. */
            signatures?: components["schemas"]["Signature"][] | null;
            /** @description The compression used, usually none. */
            compression: components["schemas"]["Compression"];
            /**
             * @description The packed context-free data in hexadecimal; empty when there is none.
             * @example 00
             */
            packed_context_free_data?: string | null;
            /**
             * @description The packed transaction.
             * @example 6c1a0a6b8c00341ae4ee00000000010000000080ab5aa6000000000000a6be010000000000000e3d00000000a8ed323202010600
             */
            packed_trx: components["schemas"]["Hex"];
        };
        /** @description What a transaction cost. */
        TransactionReceiptHeader: {
            /**
             * @description How the transaction ended.
             * @example executed
             * @enum {string}
             */
            status: "executed" | "soft_fail" | "hard_fail" | "delayed" | "expired";
            /**
             * @description The CPU time that is billed, in microseconds.
             * @example 205
             */
            cpu_usage_us: components["schemas"]["Uint32"];
            /**
             * @description The NET that is billed, in words of 8 bytes.
             * @example 11
             */
            net_usage_words: components["schemas"]["Uint32"];
        };
        /** @description Where an action stands in the order of the chain. */
        ActionReceipt: {
            /**
             * @description The account whose code ran.
             * @example other
             */
            receiver: components["schemas"]["Name"];
            /** @description The digest of the action. */
            act_digest: components["schemas"]["Sha256"];
            /**
             * @description The number of the action on the whole chain.
             * @example 688
             */
            global_sequence: components["schemas"]["Unsigned64"];
            /**
             * @description The number of the action at its receiver.
             * @example 29
             */
            recv_sequence: components["schemas"]["Unsigned64"];
            /**
             * @description For each authorizing account its name and the number of the action there. Numbers above 4294967295 are decimal strings.
             * @example [
             *       [
             *         "bob",
             *         13
             *       ]
             *     ]
             */
            auth_sequence: (string | number)[][];
            /**
             * @description How often the code of the contract was set.
             * @example 2
             */
            code_sequence: components["schemas"]["Uint32"];
            /**
             * @description How often the ABI of the contract was set.
             * @example 1
             */
            abi_sequence: components["schemas"]["Uint32"];
        };
        /** @description A change of the memory that an account pays for. */
        AccountDelta: {
            /**
             * @description The account.
             * @example early
             */
            account: components["schemas"]["Name"];
            /**
             * @description The change, in bytes.
             * @example 2724
             */
            delta: components["schemas"]["Integer64"];
        };
        /** @description Why a transaction or an action failed. */
        ExceptionTrace: {
            /**
             * @description The number of the error in the table of the chain.
             * @example 3050003
             */
            code: number;
            /**
             * @description The name of the error.
             * @example eosio_assert_message_exception
             */
            name: string;
            /**
             * @description What an error of this name means.
             * @example eosio_assert_message assertion failure
             */
            message: string;
            /** @description What happened, the innermost place first. */
            stack: {
                /** @description Where it happened. Every text may be empty. */
                context: {
                    /**
                     * @description How grave it is.
                     * @example error
                     */
                    level?: string;
                    /**
                     * @description A place in the source of the node.
                     * @example
                     */
                    file?: string;
                    /**
                     * @description A line of that place.
                     * @example 0
                     */
                    line?: number;
                    /**
                     * @description A function of that place.
                     * @example
                     */
                    method?: string;
                    /**
                     * @description Always empty.
                     * @example
                     */
                    hostname?: string;
                    /**
                     * @description The thread of the node.
                     * @example
                     */
                    thread_name?: string;
                    /** @description When it happened. */
                    timestamp?: components["schemas"]["DateTimeSeconds"];
                    /**
                     * @description More of where it happened.
                     * @example
                     */
                    context?: string;
                };
                /**
                 * @description What happened. `${name}` stands for a value of `data`.
                 * @example assertion failure with message: ${s}
                 */
                format: string;
                /**
                 * @description The values of the message.
                 * @example {
                 *       "s": "overdrawn balance"
                 *     }
                 */
                data: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** @description What one action did. */
        ActionTrace: {
            /**
             * @description The number of the action in the transaction, from 1.
             * @example 1
             */
            action_ordinal: components["schemas"]["Uint32"];
            /**
             * @description The action that created this one, or 0.
             * @example 0
             */
            creator_action_ordinal: components["schemas"]["Uint32"];
            /**
             * @description The closest ancestor that is not a notification, or 0.
             * @example 0
             */
            closest_unnotified_ancestor_action_ordinal: components["schemas"]["Uint32"];
            /** @description The receipt, or null when the action failed or did not run. */
            receipt: components["schemas"]["ActionReceipt"] | components["schemas"]["Null"];
            /**
             * @description The account whose code ran.
             * @example other
             */
            receiver: components["schemas"]["Name"];
            /** @description The action. */
            act: components["schemas"]["Action"];
            /**
             * @description Whether the action is context-free.
             * @example false
             */
            context_free: boolean;
            /**
             * @description How long the action ran, in microseconds.
             * @example 105
             */
            elapsed: components["schemas"]["Integer64"];
            /**
             * @description What the contract printed.
             * @example 6=11987081924444160000;
             */
            console: string;
            /** @description The id of the transaction. */
            trx_id: components["schemas"]["Sha256"];
            /**
             * @description The number of the block in which it ran.
             * @example 141
             */
            block_num: components["schemas"]["Uint32"];
            /** @description The time of that block. */
            block_time: components["schemas"]["DateTimeSeconds"];
            /** @description The id of that block, or null when the block is not complete. */
            producer_block_id: components["schemas"]["BlockId"] | components["schemas"]["Null"];
            /** @description The changes of memory that this action caused, by account. */
            account_ram_deltas: components["schemas"]["AccountDelta"][];
            /** @description Why the action failed, or null. */
            except: components["schemas"]["ExceptionTrace"] | components["schemas"]["Null"];
            /**
             * @description The number that the contract gave with its failure, or null.
             * @example 10000000000000000000
             */
            error_code: components["schemas"]["Unsigned64"] | components["schemas"]["Null"];
            /**
             * @description The value that the action returned.
             * @example
             */
            return_value_hex_data: components["schemas"]["Hex"];
            /** @description The value that the action returned, decoded with the ABI of the contract. Absent when the ABI does not describe it. */
            return_value_data?: components["schemas"]["JsonValue"];
            /** @description The actions that this one caused. Only push_transaction and push_transactions nest traces; all others list them flat. */
            inline_traces?: components["schemas"]["ActionTrace"][];
        };
        /** @description The trace of a transaction. `receipt` and `except` say whether it succeeded. */
        TransactionTrace: {
            /** @description The id of the transaction. */
            id: components["schemas"]["Sha256"];
            /**
             * @description The number of the block in which it ran.
             * @example 141
             */
            block_num: components["schemas"]["Uint32"];
            /** @description The time of that block. */
            block_time: components["schemas"]["DateTimeSeconds"];
            /** @description The id of that block, or null when the block is not complete. */
            producer_block_id: components["schemas"]["BlockId"] | components["schemas"]["Null"];
            /** @description What the transaction cost, or null when it failed. */
            receipt: components["schemas"]["TransactionReceiptHeader"] | components["schemas"]["Null"];
            /**
             * @description How long the transaction ran, in microseconds.
             * @example 287
             */
            elapsed: components["schemas"]["Integer64"];
            /**
             * @description The NET that the transaction used, in bytes.
             * @example 96
             */
            net_usage: components["schemas"]["Unsigned64"];
            /**
             * @description Whether it was a deferred transaction.
             * @example false
             */
            scheduled: boolean;
            /** @description The traces of its actions. */
            action_traces: components["schemas"]["ActionTrace"][];
            /** @description The change of memory of the payer of a deferred transaction, or null. */
            account_ram_delta: components["schemas"]["AccountDelta"] | components["schemas"]["Null"];
            /** @description The trace of the deferred transaction whose failure this transaction handled. */
            failed_dtrx_trace?: components["schemas"]["TransactionTrace"];
            /** @description Why the transaction failed, or null. */
            except: components["schemas"]["ExceptionTrace"] | components["schemas"]["Null"];
            /**
             * @description The number that a contract gave with its failure, or null.
             * @example 10000000000000000000
             */
            error_code: components["schemas"]["Unsigned64"] | components["schemas"]["Null"];
        };
        /** @description The result of a transaction. */
        TransactionResult: {
            /** @description The id of the transaction. */
            transaction_id: components["schemas"]["Sha256"];
            /** @description What it did. */
            processed: components["schemas"]["TransactionTrace"];
        };
        /** @description A packed transaction and how to submit it. */
        SendTransaction2Request: {
            /**
             * @description Whether a transaction that fails is answered with its trace instead of an error. Default true.
             * @default true
             * @example true
             */
            return_failure_trace?: components["schemas"]["OptionalFlag"];
            /**
             * @description Whether the node submits the transaction again until it is in a block that lasts. Default false.
             * @default false
             * @example false
             */
            retry_trx?: components["schemas"]["OptionalFlag"];
            /**
             * @description With `retry_trx`: how many blocks on top of its block make the transaction last. Absent: until it is irreversible.
             * @example 3
             */
            retry_trx_num_blocks?: (number | null) | string;
            /** @description The packed transaction. */
            transaction: components["schemas"]["PackedTransaction"];
        };
        /** @description A transaction of a request, not packed, with its signatures. Clients leave out limits, delay and context-free actions where there are none, as eosjs does. */
        SignedTransactionInput: {
            /**
             * @description When the transaction can no longer enter a block, in whole seconds of UTC. A fraction of a second and a final `Z` are ignored.
             * @example 2030-01-01T00:00:00
             */
            expiration: string;
            /**
             * @description The low 16 bits of the number of a recent block.
             * @example 1
             */
            ref_block_num: components["schemas"]["WholeNumber"];
            /**
             * @description 32 bits of the id of that block.
             * @example 2
             */
            ref_block_prefix: components["schemas"]["WholeNumber"];
            /**
             * @description The NET that the transaction may use, in words of 8 bytes; 0 means no limit of its own.
             * @example 0
             */
            max_net_usage_words?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The CPU time that the transaction may use, in milliseconds; 0 means no limit of its own.
             * @example 0
             */
            max_cpu_usage_ms?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description How long the transaction waits before it runs, in seconds.
             * @example 0
             */
            delay_sec?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description Actions that read no state and need no authority.
             * @example []
             */
            context_free_actions?: components["schemas"]["ActionInput"][] | null;
            /** @description The actions, in order. */
            actions: components["schemas"]["ActionInput"][];
            /**
             * @description Extensions of the transaction.
             * @example []
             */
            transaction_extensions?: components["schemas"]["Extension"][] | null;
            /**
             * @description Signatures of the transaction; none when absent.
             * @example []
             */
            signatures?: components["schemas"]["Signature"][] | null;
            /**
             * @description Context-free data, one entry of bytes each.
             * @example []
             */
            context_free_data?: components["schemas"]["Hex"][] | null;
        };
        /** @description Transactions, packed or not, each applied in turn. At most 1000. One that is not as described is refused in its place; the whole request is refused if one is not an object. */
        PushTransactionsRequest: (components["schemas"]["PackedTransaction"] | components["schemas"]["SignedTransactionInput"])[];
        /** @description Why one transaction of several was refused. */
        TransactionRefused: {
            /**
             * @description The error: its number, name and message.
             * @example 3010010 packed_transaction_type_exception: Invalid packed transaction
             */
            error: string;
        };
        /** @description The result for one transaction of several. */
        PushTransactionsItem: {
            /** @description The id of the transaction; zero when it was refused. */
            transaction_id: components["schemas"]["Sha256"];
            /** @description What it did, or why it was refused. */
            processed: components["schemas"]["TransactionTrace"] | components["schemas"]["TransactionRefused"];
        };
        /** @description The answers, in the order of the transactions. */
        PushTransactionsResult: components["schemas"]["PushTransactionsItem"][];
        /**
         * @description The block was taken.
         * @example {}
         */
        PushBlockResult: Record<string, never>;
        /** @description A packed transaction in an envelope. */
        WrappedTransaction: {
            /** @description The packed transaction. */
            transaction: components["schemas"]["PackedTransaction"];
        };
        /** @description A packed transaction, in an envelope as clients send it or flat as the specification shows. */
        ComputeTransactionRequest: components["schemas"]["WrappedTransaction"] | components["schemas"]["PackedTransaction"];
        /**
         * @description Whether block production is paused.
         * @example false
         */
        Paused: boolean;
        /** @description The operation succeeded. */
        ResultOk: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            result: "ok";
        };
        /** @description A height. */
        PauseAtBlockRequest: {
            /**
             * @description The number of the block at which to pause; 0 clears a pause that was scheduled.
             * @example 100000
             */
            block_num: components["schemas"]["WholeNumber"];
        };
        /** @description The options of block production that can be changed while the node runs. */
        RuntimeOptions: {
            /**
             * @description The longest time that a transaction may run, in milliseconds; -1 means no limit of the node.
             * @example 499
             */
            max_transaction_time: number;
            /**
             * @description How old the newest final block may be for this node to produce, in seconds; -1 means no limit.
             * @example -1
             */
            max_irreversible_block_age: number;
            /**
             * @description By how much earlier every block is cut than its round gives it time, in microseconds, -499999 to 0; 0 at first. The reference has lost this option, the specification keeps it.
             * @example 0
             */
            produce_time_offset_us: number;
            /**
             * @description By how much earlier still the last block of a round of 12 is cut, in microseconds, -499999 to 0; 0 at first.
             * @example 0
             */
            last_block_time_offset_us: number;
            /**
             * @description The time of each block that deferred transactions may take, in milliseconds; 100 at first.
             * @example 100
             */
            max_scheduled_transaction_time_per_block_ms: number;
            /**
             * @description By how much the CPU time of a transaction may exceed what is billed, in microseconds. Present when it was set.
             * @example 31000
             */
            subjective_cpu_leeway_us?: number;
            /**
             * @description How many waiting incoming transactions are executed before each deferred one, a decimal string; `1.00000000000000000` at first.
             * @example 1.00000000000000000
             */
            incoming_defer_ratio: string;
            /**
             * @description The greatest multiple of its share that an account may use while the chain is uncongested, 1 to 1000.
             * @example 1000
             */
            greylist_limit: number;
            /**
             * @description How long before the end of its round a producer ends its last block, in milliseconds.
             * @example 456
             */
            produce_block_offset_ms: number;
        };
        /**
         * @description A signed 32-bit number: an integer, or a string of decimal digits with an optional minus sign. `null` means that the field is absent.
         * @example 150
         */
        OptionalInteger: (number | null) | string;
        /** @description The options to change. An absent option stays as it is. */
        RuntimeOptionsUpdate: {
            /**
             * @description The longest time that a transaction may run, in milliseconds; -1 means no limit of the node.
             * @example 499
             */
            max_transaction_time?: components["schemas"]["OptionalInteger"];
            /**
             * @description How old the newest final block may be for this node to produce, in seconds; -1 means no limit.
             * @example -1
             */
            max_irreversible_block_age?: components["schemas"]["OptionalInteger"];
            /**
             * @description By how much earlier every block is cut than its round gives it time, in microseconds, -499999 to 0; 0 at first. The reference has lost this option, the specification keeps it.
             * @example 0
             */
            produce_time_offset_us?: components["schemas"]["OptionalInteger"];
            /**
             * @description By how much earlier still the last block of a round of 12 is cut, in microseconds, -499999 to 0; 0 at first.
             * @example 0
             */
            last_block_time_offset_us?: components["schemas"]["OptionalInteger"];
            /**
             * @description The time of each block that deferred transactions may take, in milliseconds; 100 at first.
             * @example 100
             */
            max_scheduled_transaction_time_per_block_ms?: components["schemas"]["OptionalInteger"];
            /**
             * @description By how much the CPU time of a transaction may exceed what is billed, in microseconds.
             * @example 31000
             */
            subjective_cpu_leeway_us?: components["schemas"]["OptionalInteger"];
            /**
             * @description How many waiting incoming transactions are executed before each deferred one; 0 and more.
             * @example 1
             */
            incoming_defer_ratio?: components["schemas"]["OptionalInteger"];
            /**
             * @description The greatest multiple of its share that an account may use while the chain is uncongested, 1 to 1000.
             * @example 1000
             */
            greylist_limit?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description How long before the end of its round a producer ends its last block, in milliseconds.
             * @example 456
             */
            produce_block_offset_ms?: components["schemas"]["OptionalInteger"];
        };
        /** @description The options to change, in an envelope. */
        WrappedRuntimeOptionsUpdate: {
            /** @description The options to change. */
            options: components["schemas"]["RuntimeOptionsUpdate"];
        };
        /**
         * @description The options to change: in the envelope `options` as the specification shows, or flat as clients send them.
         * @example {
         *       "max_transaction_time": 150
         *     }
         */
        UpdateRuntimeOptionsRequest: components["schemas"]["WrappedRuntimeOptionsUpdate"] | components["schemas"]["RuntimeOptionsUpdate"];
        /** @description Accounts whose resource limits are not increased while the chain is uncongested. */
        Greylist: {
            /**
             * @description The accounts.
             * @example [
             *       "alice"
             *     ]
             */
            accounts: components["schemas"]["Name"][];
        };
        /** @description Accounts, at least one. */
        AccountsRequest: {
            /**
             * @description The accounts.
             * @example [
             *       "alice"
             *     ]
             */
            accounts: components["schemas"]["Name"][];
        };
        /** @description The lists by which this node chooses the transactions that it puts into blocks. */
        WhitelistBlacklist: {
            /**
             * @description Only these accounts may act; empty allows all.
             * @example []
             */
            actor_whitelist: components["schemas"]["Name"][];
            /**
             * @description These accounts may not act.
             * @example [
             *       "carol"
             *     ]
             */
            actor_blacklist: components["schemas"]["Name"][];
            /**
             * @description Only these contracts may run; empty allows all.
             * @example []
             */
            contract_whitelist: components["schemas"]["Name"][];
            /**
             * @description These contracts may not run.
             * @example [
             *       "atomic"
             *     ]
             */
            contract_blacklist: components["schemas"]["Name"][];
            /**
             * @description These actions may not run: pairs of contract and action. An action that is blocked on every contract has an empty contract.
             * @example [
             *       [
             *         "other",
             *         "run"
             *       ]
             *     ]
             */
            action_blacklist: string[][];
            /**
             * @description Authorities must not be set to these keys.
             * @example []
             */
            key_blacklist: components["schemas"]["PublicKey"][];
        };
        /**
         * @description The name of an action, which an action blacklist takes for that action of every contract. The specification's pattern also has digits, underscores and lengths that no action can have: such an entry would block nothing, and is refused.
         * @example transfer
         */
        ActionName: string;
        /**
         * @description An action that may not run: the pair of contract and action, or `contract::action`, or the name of an action that is blocked on every contract. The specification takes such a bare name only; the chain blocks actions of contracts.
         * @example [
         *       "other",
         *       "run"
         *     ]
         */
        ActionBlacklistEntry: components["schemas"]["Name"][] | string | components["schemas"]["ActionName"];
        /** @description The lists to replace; at least one of the six. A list that is absent or `null` stays as it is. */
        WhitelistBlacklistInput: {
            /**
             * @description Only these accounts may act; empty allows all.
             * @example []
             */
            actor_whitelist?: components["schemas"]["Name"][] | null;
            /**
             * @description These accounts may not act.
             * @example [
             *       "carol"
             *     ]
             */
            actor_blacklist?: components["schemas"]["Name"][] | null;
            /**
             * @description Only these contracts may run; empty allows all.
             * @example []
             */
            contract_whitelist?: components["schemas"]["Name"][] | null;
            /**
             * @description These contracts may not run.
             * @example [
             *       "atomic"
             *     ]
             */
            contract_blacklist?: components["schemas"]["Name"][] | null;
            /**
             * @description These actions may not run.
             * @example [
             *       [
             *         "other",
             *         "run"
             *       ]
             *     ]
             */
            action_blacklist?: components["schemas"]["ActionBlacklistEntry"][] | null;
            /**
             * @description Authorities must not be set to these keys. The specification calls the entries a KeyType; they are public keys.
             * @example []
             */
            key_blacklist?: components["schemas"]["PublicKey"][] | null;
        } | ({
            /** @description A list, not `null`. */
            actor_whitelist: components["schemas"]["Name"][];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @description A list, not `null`. */
            actor_blacklist: components["schemas"]["Name"][];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @description A list, not `null`. */
            contract_whitelist: components["schemas"]["Name"][];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @description A list, not `null`. */
            contract_blacklist: components["schemas"]["Name"][];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @description A list, not `null`. */
            action_blacklist: components["schemas"]["ActionBlacklistEntry"][];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @description A list, not `null`. */
            key_blacklist: components["schemas"]["PublicKey"][];
        } & {
            [key: string]: unknown;
        });
        /** @description A snapshot. */
        SnapshotInformation: {
            /** @description The block whose state it holds. */
            head_block_id: components["schemas"]["BlockId"];
            /**
             * @description The number of that block.
             * @example 36
             */
            head_block_num: components["schemas"]["Uint32"];
            /** @description The time of that block. */
            head_block_time: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The version of the form of the snapshot.
             * @example 8
             */
            version: components["schemas"]["Uint32"];
            /**
             * @description The file.
             * @example snapshots/snapshot-000000245ee090c72a2c8058f5fe1f05c394cc9f1243a81965a2701b0dbe1f5f.bin
             */
            snapshot_name: string;
        };
        /**
         * @description The options of the snapshot.
         * @example {
         *       "allow_reversible": true
         *     }
         */
        CreateSnapshotRequest: {
            /**
             * @description Whether the response is sent as soon as the file is written, before its block is irreversible. Such a block can still leave the chain; a node that starts from the snapshot then cannot follow the chain. For the routine "pause, create_snapshot, stop", where no block comes that makes the newest one irreversible. Default false.
             * @default false
             * @example false
             */
            allow_reversible?: components["schemas"]["OptionalFlag"];
        };
        /** @description A request for snapshots. */
        SnapshotRequest: {
            /**
             * @description The number of the request.
             * @example 0
             */
            snapshot_request_id: components["schemas"]["Uint32"];
            /**
             * @description A snapshot is made every so many blocks; 0 for a single one.
             * @example 100
             */
            block_spacing: components["schemas"]["Uint32"];
            /**
             * @description The block of the first snapshot.
             * @example 100000
             */
            start_block_num: components["schemas"]["Uint32"];
            /**
             * @description The last block for which a snapshot is made; 0 and 4294967295 mean no end.
             * @example 200000
             */
            end_block_num: components["schemas"]["Uint32"];
            /**
             * @description A description for operators.
             * @example far
             */
            snapshot_description: string;
        };
        /** @description The blocks for which snapshots are made. Without any field, one is made at once. */
        ScheduleSnapshotRequest: {
            /**
             * @description The number of blocks between two snapshots.
             * @example 100
             */
            block_spacing?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The block of the first snapshot. Default: the next block.
             * @example 100000
             */
            start_block_num?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The last block for which a snapshot is made. Default: no end.
             * @example 200000
             */
            end_block_num?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description A description for operators.
             * @example far
             */
            snapshot_description?: components["schemas"]["OptionalText"];
        };
        /** @description A request for snapshots. */
        UnscheduleSnapshotRequest: {
            /**
             * @description The number of the request.
             * @example 0
             */
            snapshot_request_id: components["schemas"]["WholeNumber"];
        };
        /** @description A request for snapshots and the snapshots that wait for their block to become final. */
        SnapshotRequestInformation: {
            /**
             * @description The number of the request.
             * @example 0
             */
            snapshot_request_id: components["schemas"]["Uint32"];
            /**
             * @description A snapshot is made every so many blocks; 0 for a single one.
             * @example 100
             */
            block_spacing: components["schemas"]["Uint32"];
            /**
             * @description The block of the first snapshot.
             * @example 100000
             */
            start_block_num: components["schemas"]["Uint32"];
            /**
             * @description The last block for which a snapshot is made; 0 and 4294967295 mean no end.
             * @example 200000
             */
            end_block_num: components["schemas"]["Uint32"];
            /**
             * @description A description for operators.
             * @example far
             */
            snapshot_description: string;
            /**
             * @description Snapshots whose block is not final yet.
             * @example []
             */
            pending_snapshots: components["schemas"]["SnapshotInformation"][];
        };
        /** @description The requests for snapshots. */
        GetSnapshotRequestsResult: {
            /**
             * @description The requests.
             * @example []
             */
            snapshot_requests: components["schemas"]["SnapshotRequestInformation"][];
        };
        /** @description The digest of the whole state of the chain at a block. Two nodes whose states are equal answer the same. */
        IntegrityHash: {
            /** @description The block. */
            head_block_id: components["schemas"]["BlockId"];
            /** @description The digest. */
            integrity_hash: components["schemas"]["Sha256"];
        };
        /** @description A protocol feature that the node knows. */
        SupportedProtocolFeature: {
            /** @description The digest that names it. */
            feature_digest: components["schemas"]["Sha256"];
            /** @description What the operator of the node asks of it. */
            subjective_restrictions: {
                /**
                 * @description Whether the node accepts it.
                 * @example true
                 */
                enabled: boolean;
                /**
                 * @description Whether the chain must have asked for it.
                 * @example true
                 */
                preactivation_required: boolean;
                /**
                 * @description When it may first be activated.
                 * @example 1970-01-01T00:00:00.000
                 */
                earliest_allowed_activation_time: components["schemas"]["DateTimeSeconds"];
            };
            /** @description The digest of its description. */
            description_digest: components["schemas"]["Sha256"];
            /**
             * @description The features that must be active before it.
             * @example []
             */
            dependencies: components["schemas"]["Sha256"][];
            /**
             * @description The kind of feature.
             * @example builtin
             */
            protocol_feature_type: string;
            /** @description Its properties. */
            specification: components["schemas"]["FeatureSpecification"][];
        };
        /** @description The protocol features that the node knows. */
        GetSupportedProtocolFeaturesResult: components["schemas"]["SupportedProtocolFeature"][];
        /** @description Which protocol features. */
        SupportedProtocolFeaturesParams: {
            /**
             * @description Leave out features that the node does not accept. Default false.
             * @default false
             * @example false
             */
            exclude_disabled?: components["schemas"]["OptionalFlag"];
            /**
             * @description Leave out features that cannot be activated now: already active, too early, or a dependency is missing. Default false.
             * @default false
             * @example false
             */
            exclude_unactivatable?: components["schemas"]["OptionalFlag"];
        };
        /** @description Which protocol features, in an envelope. */
        WrappedSupportedProtocolFeaturesParams: {
            /** @description Which protocol features. */
            params: components["schemas"]["SupportedProtocolFeaturesParams"];
        };
        /**
         * @description Which protocol features: in the envelope `params` as the specification shows, or flat as clients send it.
         * @example {
         *       "exclude_disabled": true
         *     }
         */
        GetSupportedProtocolFeaturesRequest: components["schemas"]["WrappedSupportedProtocolFeaturesParams"] | components["schemas"]["SupportedProtocolFeaturesParams"];
        /** @description Protocol features that the next block of this node activates. */
        ProtocolFeaturesToActivate: {
            /**
             * @description The digests of the features, in order.
             * @example [
             *       "0ec7e080177b2c02b278d5088611686b49d739925a92d9bfcacd7fc6b74053bd"
             *     ]
             */
            protocol_features_to_activate: components["schemas"]["Sha256"][];
        };
        /** @description Protocol features, in an envelope. */
        WrappedProtocolFeaturesToActivate: {
            /** @description The protocol features. */
            schedule: components["schemas"]["ProtocolFeaturesToActivate"];
        };
        /** @description Protocol features: in the envelope `schedule` as the specification shows, or flat as clients send them. */
        ScheduleProtocolFeatureActivationsRequest: components["schemas"]["WrappedProtocolFeaturesToActivate"] | components["schemas"]["ProtocolFeaturesToActivate"];
        /** @description By how much the chain once corrected the memory of an account. */
        AccountRamCorrection: {
            /**
             * @description The account.
             * @example alice
             */
            name: components["schemas"]["Name"];
            /**
             * @description The correction, in bytes.
             * @example 128
             */
            ram_correction: components["schemas"]["Unsigned64"];
        };
        /** @description Corrections of the memory of accounts, by name. */
        GetAccountRamCorrectionsResult: {
            /**
             * @description The corrections.
             * @example []
             */
            rows: components["schemas"]["AccountRamCorrection"][];
            /**
             * @description The account with which the next page starts; absent at the end. The specification shows an array; the node answers the name.
             * @example bob
             */
            more?: components["schemas"]["Name"] | components["schemas"]["Name"][];
        };
        /** @description Which corrections. */
        GetAccountRamCorrectionsRequest: {
            /**
             * @description The first account. The specification shows an integer, which is the value of a name; a string is a name, or digits that are none. `null` means that the field is absent.
             * @example alice
             */
            lower_bound?: components["schemas"]["Name"] | components["schemas"]["Null"] | number | string;
            /**
             * @description The last account, inclusive; written as `lower_bound`.
             * @example bob
             */
            upper_bound?: components["schemas"]["Name"] | components["schemas"]["Null"] | number | string;
            /**
             * @description How many rows at most. Default 10; never more than 1000.
             * @default 10
             * @example 10
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description Whether the last come first. Default false.
             * @default false
             * @example false
             */
            reverse?: components["schemas"]["OptionalFlag"];
        };
        /** @description A transaction that waits in the queue of the producer. */
        UnappliedTransaction: {
            /** @description Its id. */
            trx_id: components["schemas"]["Sha256"];
            /** @description When it expires. */
            expiration: components["schemas"]["DateTime"];
            /**
             * @description Why it waits.
             * @example incoming_api
             * @enum {string}
             */
            trx_type: "unknown" | "forked" | "aborted" | "incoming_api" | "incoming_p2p" | "dry_run" | "read_only";
            /**
             * @description The account that authorizes its first action.
             * @example alice
             */
            first_auth: components["schemas"]["Name"];
            /**
             * @description The contract of its first action.
             * @example eosio.token
             */
            first_receiver: components["schemas"]["Name"];
            /**
             * @description Its first action.
             * @example transfer
             */
            first_action: components["schemas"]["Name"];
            /**
             * @description The number of its actions.
             * @example 1
             */
            total_actions: number;
            /**
             * @description The CPU time that is billed already, in microseconds.
             * @example 0
             */
            billed_cpu_time_us: components["schemas"]["Uint32"];
            /**
             * @description The memory that it takes, in bytes.
             * @example 512
             */
            size: components["schemas"]["Unsigned64"];
        };
        /** @description The queue of transactions of the producer. */
        GetUnappliedTransactionsResult: {
            /**
             * @description The number of transactions.
             * @example 0
             */
            size: components["schemas"]["Unsigned64"];
            /**
             * @description How many of them came in and were not tried yet.
             * @example 0
             */
            incoming_size: components["schemas"]["Unsigned64"];
            /**
             * @description The transactions.
             * @example []
             */
            trxs: components["schemas"]["UnappliedTransaction"][];
            /**
             * @description The id of the first transaction that is not here; send it as `lower_bound` to get the next page. Empty at the end.
             * @example
             */
            more: string;
        };
        /** @description Which transactions of the queue. */
        GetUnappliedTransactionsRequest: {
            /**
             * @description How many transactions at most. Default 100; never more than 1000.
             * @default 100
             * @example 100
             */
            limit?: components["schemas"]["OptionalLimit"];
            /**
             * @description The id of the transaction from which to start. Empty or `null` means from the first.
             * @example 9371fb05f023fcc78b23923d70bdfe6642cdf1956d120045bcd1371e05c961a9
             */
            lower_bound?: string | null;
            /**
             * @description How long the node may look, in milliseconds. Default: the setting http-max-response-time-ms of the node.
             * @example 5
             */
            time_limit_ms?: components["schemas"]["OptionalWholeNumber"];
        };
        /** @description The paths that this address serves, without this one. */
        GetSupportedApisResult: {
            /**
             * @description The paths, in alphabetical order.
             * @example [
             *       "/v1/chain/get_account",
             *       "/v1/chain/get_info"
             *     ]
             */
            apis: string[];
        };
        /** @description The state of a healthy node. */
        Health: {
            /**
             * @description Always `ok`; an unhealthy node responds with an error.
             * @example ok
             * @enum {string}
             */
            status: "ok";
            /**
             * @description The number of the newest block.
             * @example 140
             */
            head_block_num: components["schemas"]["Uint32"];
            /** @description The time of the newest block. */
            head_block_time: components["schemas"]["DateTimeSeconds"];
            /**
             * @description How long ago that was, in milliseconds; 0 while it is ahead.
             * @example 230
             */
            head_block_age_ms: components["schemas"]["Unsigned64"];
            /**
             * @description The number of the newest final block.
             * @example 138
             */
            last_irreversible_block_num: components["schemas"]["Uint32"];
            /**
             * @description Whether the node produces blocks: `running`, `paused` by an operator, or `none`, when none of its producers is in the schedule.
             * @example running
             * @enum {string}
             */
            production: "running" | "paused" | "none";
            /**
             * @description Transactions that wait for a block.
             * @example 0
             */
            unapplied_transactions: components["schemas"]["Uint32"];
        };
        /** @description A block. */
        GetBlockTraceRequest: {
            /** @description The number of the block. */
            block_num: components["schemas"]["WholeNumber"];
        };
        /** @description An action at one receiver. */
        TracedAction: {
            /**
             * @description The number of actions since the start of the chain, with this one.
             * @example 29
             */
            global_sequence: components["schemas"]["Unsigned64"];
            /**
             * @description The account whose code ran.
             * @example alice
             */
            receiver: components["schemas"]["Name"];
            /**
             * @description The contract of the action.
             * @example eosio.token
             */
            account: components["schemas"]["Name"];
            /**
             * @description The name of the action.
             * @example transfer
             */
            action: components["schemas"]["Name"];
            /** @description The permissions that the action declares. */
            authorization: {
                /**
                 * @description The account.
                 * @example alice
                 */
                account: components["schemas"]["Name"];
                /**
                 * @description The permission of the account.
                 * @example active
                 */
                permission: components["schemas"]["Name"];
            }[];
            /** @description The packed arguments. */
            data: components["schemas"]["Hex"];
            /** @description The packed return value. */
            return_value?: components["schemas"]["Hex"];
            /** @description The arguments, decoded with the ABI. */
            params?: components["schemas"]["JsonValue"];
            /**
             * @description The return value, decoded with the ABI.
             * @example 7
             */
            return_data?: components["schemas"]["JsonValue"];
        };
        /** @description What a transaction did. Traces that old versions of nodeos wrote have fewer fields. */
        TracedTransaction: {
            /** @description The id of the transaction; of a deferred transaction that failed, its own. */
            id: components["schemas"]["Sha256"];
            /**
             * @description The number of its block.
             * @example 10
             */
            block_num?: components["schemas"]["Uint32"];
            /** @description The time of its block. */
            block_time?: components["schemas"]["DateTimeSeconds"];
            /** @description The id of its block; null if this node produced it. */
            producer_block_id?: components["schemas"]["BlockId"] | components["schemas"]["Null"];
            /** @description Its actions in the order of their execution, without those that are free of context. */
            actions: components["schemas"]["TracedAction"][];
            /**
             * @description How the transaction ended.
             * @example executed
             * @enum {string}
             */
            status?: "executed" | "soft_fail" | "hard_fail" | "delayed" | "expired";
            /**
             * @description The CPU time that is billed, in microseconds.
             * @example 205
             */
            cpu_usage_us?: components["schemas"]["Uint32"];
            /**
             * @description The NET that is billed, in words of 8 bytes.
             * @example 11
             */
            net_usage_words?: components["schemas"]["Uint32"];
            /** @description The signatures of the transaction. */
            signatures?: components["schemas"]["Signature"][];
            /** @description The fields of the transaction before its actions. */
            transaction_header?: {
                /** @description The time after which the transaction is not taken any more. */
                expiration: components["schemas"]["DateTime"];
                /**
                 * @description The low 16 bits of the number of a block that the transaction requires.
                 * @example 9
                 */
                ref_block_num: number;
                /**
                 * @description A part of the id of that block.
                 * @example 3278166915
                 */
                ref_block_prefix: components["schemas"]["Uint32"];
                /**
                 * @description The most NET that the transaction may use, in words of 8 bytes; 0 means no limit.
                 * @example 0
                 */
                max_net_usage_words: components["schemas"]["Uint32"];
                /**
                 * @description The most CPU time that the transaction may use, in milliseconds; 0 means no limit.
                 * @example 0
                 */
                max_cpu_usage_ms: number;
                /**
                 * @description The delay of the transaction, in seconds.
                 * @example 0
                 */
                delay_sec: components["schemas"]["Uint32"];
            };
        };
        /** @description What the transactions of a block did. */
        BlockTrace: {
            /** @description The id of the block. */
            id: components["schemas"]["BlockId"];
            /**
             * @description The number of the block.
             * @example 10
             */
            number: components["schemas"]["Uint32"];
            /** @description The id of the block before it. */
            previous_id: components["schemas"]["BlockId"];
            /**
             * @description Whether the block can still be replaced by a fork.
             * @example irreversible
             * @enum {string}
             */
            status: "irreversible" | "pending";
            /**
             * @description The time of the block in UTC, with the letter Z.
             * @example 2026-11-28T00:02:44.000Z
             */
            timestamp: string;
            /**
             * @description The producer of the block.
             * @example eosio
             */
            producer: components["schemas"]["Name"];
            /** @description The Merkle root of its transactions. */
            transaction_mroot?: components["schemas"]["Sha256"];
            /** @description The Merkle root of its actions; under Savanna the root of the finality tree. */
            action_mroot?: components["schemas"]["Sha256"];
            /**
             * @description The version of the schedule of producers.
             * @example 0
             */
            schedule_version?: components["schemas"]["Uint32"];
            /** @description The transactions, onblock first. */
            transactions: components["schemas"]["TracedTransaction"][];
        };
        /** @description A transaction. */
        GetTransactionTraceRequest: {
            /** @description The id of the transaction. */
            id: components["schemas"]["Sha256"];
        };
        /**
         * @description The address of a peer, alone or as `endpoint`.
         * @example 203.0.113.5:9876
         */
        PeerAddressRequest: components["schemas"]["Text"] | {
            /**
             * @description The address of a peer.
             * @example 203.0.113.5:9876
             */
            endpoint: components["schemas"]["Text"];
        };
        /**
         * @description What came of the request.
         * @example added connection
         */
        PeerAddressResult: string;
        /** @description What a peer says about itself. */
        PeerHandshake: {
            /**
             * @description The version of the protocol, counted from 1205.
             * @example 1216
             */
            network_version: number;
            /** @description The chain of the peer. */
            chain_id: components["schemas"]["Sha256"];
            /** @description The random id of the node. */
            node_id: components["schemas"]["Sha256"];
            /**
             * @description The key with which the peer signs its handshakes; zeros if there is none.
             * @example EOS1111111111111111111111111111111114T1Anm
             */
            key: string;
            /**
             * @description Nanoseconds since 1970.
             * @example 1795874435972041112
             */
            time: components["schemas"]["Integer64"];
            /** @description The hash of the time; zeros if it is not signed. */
            token: components["schemas"]["Sha256"];
            /**
             * @description The signature of the token; zeros if there is none.
             * @example SIG_K1_111111111111111111111111111111111111111111111111111111111111111116uk5ne
             */
            sig: string;
            /**
             * @description The address of the peer as it says, and the beginning of its id.
             * @example 203.0.113.5:9876 - c59f3ea
             */
            p2p_address: string;
            /**
             * @description Number of its last irreversible block.
             * @example 140
             */
            fork_db_root_num: number;
            /** @description Id of its last irreversible block. */
            fork_db_root_id: components["schemas"]["Sha256"];
            /**
             * @description Number of its best block.
             * @example 142
             */
            fork_db_head_num: number;
            /** @description Id of its best block. */
            fork_db_head_id: components["schemas"]["Sha256"];
            /**
             * @description Its operating system.
             * @example linux
             */
            os: string;
            /**
             * @description The name of the peer.
             * @example Spring Agent
             */
            agent: string;
            /**
             * @description Number of its handshakes on this connection.
             * @example 2
             */
            generation: number;
        };
        /** @description The state of a connection to a peer. */
        PeerConnection: {
            /**
             * @description The address that this node connected to; empty if the peer connected.
             * @example 203.0.113.5:9876
             */
            peer: string;
            /**
             * @description IP address of the peer.
             * @example 203.0.113.5
             */
            remote_ip: string;
            /**
             * @description Port of the peer.
             * @example 9876
             */
            remote_port: string;
            /**
             * @description No handshake of the peer came yet.
             * @example false
             */
            connecting: boolean;
            /**
             * @description The peer gets old blocks from this node.
             * @example false
             */
            syncing: boolean;
            /**
             * @description The peer is a block producer by the option `p2p-auto-bp-peer` or by gossip.
             * @example false
             */
            is_bp_peer: boolean;
            /**
             * @description The peer is a block producer by gossip.
             * @example false
             */
            is_bp_gossip_peer: boolean;
            /**
             * @description The connection is open.
             * @example true
             */
            is_socket_open: boolean;
            /**
             * @description No transactions are exchanged.
             * @example false
             */
            is_blocks_only: boolean;
            /**
             * @description No blocks are exchanged.
             * @example false
             */
            is_transactions_only: boolean;
            /**
             * @description When the last vote came from the peer; 1970 if none came.
             * @example 2026-01-01T00:00:01.000
             */
            last_vote_received: components["schemas"]["DateTimeSeconds"];
            /** @description The last handshake of the peer; zeros if none came. */
            last_handshake: components["schemas"]["PeerHandshake"];
        };
        /** @description A connection; null if there is none. */
        PeerConnectionOrNull: components["schemas"]["PeerConnection"] | components["schemas"]["Null"];
        /** @description The address of a block producer. */
        GossipPeer: {
            /**
             * @description The producer.
             * @example proda
             */
            producer_name: string;
            /**
             * @description The address to connect to.
             * @example 203.0.113.5:9876
             */
            server_endpoint: string;
            /**
             * @description The IP address from which the producer connects.
             * @example 203.0.113.5
             */
            outbound_ip_address: string;
            /**
             * @description The time at which this entry expires.
             * @example 2026-01-01T00:00:01.000
             */
            expiration: components["schemas"]["DateTimeSeconds"];
        };
        /** @description The size of the state in bytes, and the rows of its tables. The files on the disk are a field beyond the reference. */
        DatabaseSize: {
            /**
             * @description Memory that the machine still has.
             * @example 8589934592
             */
            free_bytes: components["schemas"]["Unsigned64"];
            /**
             * @description Memory that the state takes.
             * @example 3145728
             */
            used_bytes: components["schemas"]["Unsigned64"];
            /**
             * @description Part of it that becomes free when reversible blocks become final.
             * @example 65536
             */
            reclaimable_bytes: components["schemas"]["Unsigned64"];
            /**
             * @description The same as `used_bytes`.
             * @example 3145728
             */
            size: components["schemas"]["Unsigned64"];
            /** @description The tables, those with the fewest rows first. */
            indices: {
                /**
                 * @description The name of a table, as the reference has it.
                 * @example eosio::chain::account_object
                 */
                index: string;
                /**
                 * @description Its rows.
                 * @example 4
                 */
                row_count: components["schemas"]["Unsigned64"];
            }[];
            /** @description The files of the blocks, of the stored state, and of the histories that are on. Empty if the chain is in memory. */
            files: {
                /**
                 * @description `blocks`: irreversible and reversible blocks, with indexes and checksums. `state`: rows on the disk.
                 *     `trace_history`, `chain_state_history`, `finality_data_history`: a log of state history with its index and
                 *     its retained files, without archived ones. `trace_api`: slices of the trace API, compressed or not.
                 *     More names may be added.
                 * @example trace_history
                 */
                name: string;
                /**
                 * @description Their bytes.
                 * @example 3145728
                 */
                bytes: components["schemas"]["Unsigned64"];
                /**
                 * @description The first block that they have. Absent if there is none, and for `state` and `trace_api`.
                 * @example 2
                 */
                first_block_num?: components["schemas"]["Uint32"];
                /**
                 * @description The last block that they have. Absent like `first_block_num`.
                 * @example 90
                 */
                last_block_num?: components["schemas"]["Uint32"];
            }[];
        };
        /**
         * @description `interval`: a block in each slot of 500 ms. `instant`: a block for each transaction that succeeds, before it is answered. `manual`: only the blocks that mine_blocks and advance_time make.
         * @example instant
         * @enum {string}
         */
        ProductionMode: "interval" | "instant" | "manual";
        /** @description A checkpoint of the chain. */
        DevelopmentCheckpoint: {
            /**
             * @description Its number, which go_back_to_checkpoint and drop_checkpoint take.
             * @example 1
             */
            checkpoint: components["schemas"]["Uint32"];
            /**
             * @description The last block before it.
             * @example 140
             */
            block_num: components["schemas"]["Uint32"];
            /** @description The id of this block. */
            block_id: components["schemas"]["BlockId"];
            /** @description The time of this block. */
            block_time: components["schemas"]["DateTimeSeconds"];
        };
        /** @description How a development chain is controlled, and where it is. */
        DevelopmentControls: {
            /** @description When blocks are produced; see set_production_mode. */
            production_mode: components["schemas"]["ProductionMode"];
            /** @description The time of the chain's clock, which may be ahead of the machine's. */
            time: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The number of the head block.
             * @example 140
             */
            head_block_num: components["schemas"]["Uint32"];
            /** @description The id of the head block. */
            head_block_id: components["schemas"]["BlockId"];
            /** @description The time of the head block. */
            head_block_time: components["schemas"]["DateTimeSeconds"];
            /**
             * @description The last irreversible block; it stays where it is while there is a checkpoint.
             * @example 137
             */
            last_irreversible_block_num: components["schemas"]["Uint32"];
            /**
             * @description The checkpoints, in the order in which they were taken.
             * @example []
             */
            checkpoints: components["schemas"]["DevelopmentCheckpoint"][];
            /**
             * @description Whether anyone may act for every account.
             * @example false
             */
            act_as_all: boolean;
            /**
             * @description The accounts for which anyone may act.
             * @example [
             *       "alice"
             *     ]
             */
            act_as_accounts: components["schemas"]["Name"][];
        };
        /** @description When blocks are produced. */
        SetProductionModeRequest: {
            /** @description The mode. */
            mode: components["schemas"]["ProductionMode"];
        };
        /**
         * @description A point in time in UTC, with or without milliseconds. `null` means that the field is absent.
         * @example 2026-02-01T00:00:00
         */
        OptionalTime: string | null;
        /** @description What is reached when blocks are made: each of the fields that are given. Default: one block. */
        MineBlocksRequest: {
            /**
             * @description So many blocks, 1 to 20000.
             * @example 10
             */
            blocks?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description Up to the block with this number.
             * @example 200
             */
            until_block_num?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description Up to a block with this time (UTC) or a later one.
             * @example 2026-01-01T00:10:00
             */
            until_time?: components["schemas"]["OptionalTime"];
        };
        /** @description The new time; the later one of two. Default: one second later. */
        AdvanceTimeRequest: {
            /**
             * @description So many seconds later than it is.
             * @example 86400
             */
            seconds?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description This time (UTC), not later than 2060.
             * @example 2026-02-01T00:00:00
             */
            until?: components["schemas"]["OptionalTime"];
        };
        /** @description Where the state is saved. */
        SaveStateRequest: {
            /**
             * @description The name of the state and of its files.
             * @example prepared
             */
            name: string;
        };
        /** @description A state that was saved. */
        SavedState: {
            /**
             * @description The name of the state.
             * @example prepared
             */
            name: string;
            /**
             * @description The last block in it.
             * @example 140
             */
            block_num: components["schemas"]["Uint32"];
            /** @description The id of this block. */
            block_id: components["schemas"]["BlockId"];
            /** @description The time of this block. */
            block_time: components["schemas"]["DateTimeSeconds"];
        };
        /** @description The state that is loaded. */
        LoadStateRequest: {
            /**
             * @description The name of the state and of its files.
             * @example prepared
             */
            name: string;
        };
        /** @description A checkpoint. */
        CheckpointRequest: {
            /**
             * @description The number that take_checkpoint returned.
             * @example 1
             */
            checkpoint: components["schemas"]["WholeNumber"];
        };
        /** @description The accounts for which anyone may act. Default: none. */
        ActAsRequest: {
            /**
             * @description These accounts and no others. They need not exist yet.
             * @example [
             *       "alice"
             *     ]
             */
            accounts?: components["schemas"]["Name"][] | null;
            /**
             * @description Every account.
             * @example false
             */
            all?: components["schemas"]["OptionalFlag"];
        };
        /** @description An account to create. */
        CreateAccountRequest: {
            /**
             * @description The name of the account.
             * @example dave
             */
            name: components["schemas"]["Name"];
            /**
             * @description The account that creates it and pays for it. Default: eosio.
             * @example eosio
             */
            creator?: components["schemas"]["Name"];
            /**
             * @description The public key of its permissions owner and active. Default: the well-known development key.
             * @example EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV
             */
            key?: string | null;
            /**
             * @description RAM that the creator buys for it, if the contract of eosio sells RAM. Default: enough for the account and its contract.
             * @example 8192
             */
            ram_bytes?: components["schemas"]["OptionalWholeNumber"];
            /**
             * @description The WebAssembly of its contract in hexadecimal. Default: no contract.
             * @example
             */
            code?: string | null;
            /**
             * @description The ABI of its contract, as an object or as JSON text. Default: no ABI.
             * @example
             */
            abi?: (string | null) | components["schemas"]["Abi"];
        };
        /** @description An authority to set. */
        SetAuthorityRequest: {
            /**
             * @description The account.
             * @example bob
             */
            account: components["schemas"]["Name"];
            /**
             * @description The permission, which is created if it does not exist. Default: active.
             * @example active
             */
            permission?: components["schemas"]["Name"];
            /**
             * @description The parent of the permission. Default: none for owner, owner for active, and active for all others.
             * @example owner
             */
            parent?: components["schemas"]["Name"];
            /** @description The authority. */
            authority: components["schemas"]["Authority"];
        };
        /** @description A balance to set. */
        SetBalanceRequest: {
            /**
             * @description The account that gets the balance.
             * @example bob
             */
            account: components["schemas"]["Name"];
            /**
             * @description The balance, with all decimals of the token.
             * @example 500.0000 SYS
             */
            quantity: string;
            /**
             * @description The contract of the token, which has the interface of eosio.token. Default: eosio.token.
             * @example eosio.token
             */
            contract?: components["schemas"]["Name"];
        };
    };
    responses: {
        /** @description The request is malformed, or names a block or an account that does not exist. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path is unknown at this address. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is longer than the node takes. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The chain refused the request, or the operation is not available; `error` says why. It is the status of every error of the chain that has none of its own. */
        InternalServiceError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests or bytes are in flight. Try again. */
        Busy: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The signatures or keys do not satisfy the authorities that the transaction declares. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The transaction is in the chain, or in the block in work, already. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A browser says that the request comes from a page of another site (its headers `Origin`, `Referer` or `Sec-Fetch-Site`), which the node's option `http-control-origin` does not let. Requests of programs, which send none of them, are not refused so. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
         * @example return=minimal
         */
        Prefer: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description `return=minimal` when the request preferred a minimal answer and got it.
         * @example return=minimal
         */
        PreferenceApplied: "return=minimal";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_info_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetAccountRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_block: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockNumOrIdRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Block"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_block_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetBlockInfoRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_block_header_state: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockNumOrIdRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockHeaderState"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_block_header: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetBlockHeaderRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBlockHeaderResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_raw_block: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockNumOrIdRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedBlock"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetCodeRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCodeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_code_hash_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCodeHashResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_code_hash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetCodeHashRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCodeHashResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_abi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountNameRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAbiResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_raw_code_and_abi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountNameRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRawCodeAndAbiResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_raw_abi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetRawAbiRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRawAbiResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_table_rows: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTableRowsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTableRowsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_table_by_scope: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTableByScopeRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTableByScopeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_currency_balance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetCurrencyBalanceRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCurrencyBalanceResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_currency_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetCurrencyStatsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCurrencyStatsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_required_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetRequiredKeysRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRequiredKeysResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_producers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetProducersRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProducersResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_producer_schedule_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProducerScheduleResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_producer_schedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProducerScheduleResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_scheduled_transactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetScheduledTransactionsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetScheduledTransactionsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_transaction_id: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTransactionIdRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTransactionIdResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_activated_protocol_features_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetActivatedProtocolFeaturesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_activated_protocol_features: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetActivatedProtocolFeaturesRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetActivatedProtocolFeaturesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_consensus_parameters_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetConsensusParametersResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_consensus_parameters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetConsensusParametersResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_finalizer_info_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetFinalizerInfoResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_finalizer_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetFinalizerInfoResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_transaction_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTransactionStatusRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_accounts_by_authorizers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetAccountsByAuthorizersRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountsByAuthorizersResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    push_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PackedTransaction"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResult"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    send_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PackedTransaction"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResult"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    send_transaction2: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendTransaction2Request"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResult"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    push_transactions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushTransactionsRequest"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushTransactionsResult"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    push_block: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedBlock"];
            };
        };
        responses: {
            /** @description The result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushBlockResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    compute_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComputeTransactionRequest"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResult"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    send_read_only_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WrappedTransaction"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResult"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    paused_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Paused"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    paused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Paused"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    pause_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    pause: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    resume_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    resume: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    pause_at_block: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseAtBlockRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_runtime_options_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeOptions"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_runtime_options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeOptions"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    update_runtime_options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRuntimeOptionsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_greylist_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Greylist"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_greylist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Greylist"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    add_greylist_accounts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountsRequest"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            201: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    remove_greylist_accounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_whitelist_blacklist_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhitelistBlacklist"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_whitelist_blacklist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhitelistBlacklist"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    set_whitelist_blacklist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhitelistBlacklistInput"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    create_snapshot_by_get: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            201: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotInformation"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    create_snapshot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSnapshotRequest"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            201: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotInformation"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    schedule_snapshot_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    schedule_snapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScheduleSnapshotRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    unschedule_snapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnscheduleSnapshotRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_snapshot_requests_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSnapshotRequestsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_snapshot_requests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSnapshotRequestsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_integrity_hash_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrityHash"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_integrity_hash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrityHash"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_supported_protocol_features_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSupportedProtocolFeaturesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_supported_protocol_features: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetSupportedProtocolFeaturesRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSupportedProtocolFeaturesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    schedule_protocol_feature_activations: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `return=minimal` asks for `null` instead of the body of the answer (RFC 7240). Any other preference is ignored.
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleProtocolFeatureActivationsRequest"];
            };
        };
        responses: {
            /** @description The result, or `null` if the request prefers a minimal one. */
            201: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultOk"] | components["schemas"]["Null"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_scheduled_protocol_feature_activations_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtocolFeaturesToActivate"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_scheduled_protocol_feature_activations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtocolFeaturesToActivate"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_account_ram_corrections_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountRamCorrectionsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_account_ram_corrections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetAccountRamCorrectionsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountRamCorrectionsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_unapplied_transactions_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUnappliedTransactionsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_unapplied_transactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be absent, which means `{}`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetUnappliedTransactionsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUnappliedTransactionsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_supported_apis_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSupportedApisResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_supported_apis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSupportedApisResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_health_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_block_trace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetBlockTraceRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockTrace"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_transaction_trace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTransactionTraceRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracedTransaction"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    connect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PeerAddressRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeerAddressResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    disconnect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PeerAddressRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeerAddressResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PeerAddressRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeerConnectionOrNull"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    connections_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeerConnection"][];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    connections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeerConnection"][];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    bp_gossip_peers_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GossipPeer"][];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    bp_gossip_peers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GossipPeer"][];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseSize"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseSize"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_controls_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    get_controls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    set_production_mode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetProductionModeRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    mine_blocks_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    mine_blocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MineBlocksRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    advance_time_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    advance_time: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AdvanceTimeRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    save_state: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveStateRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedState"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    load_state: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoadStateRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    take_checkpoint_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentCheckpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    take_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyObject"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentCheckpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    go_back_to_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckpointRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    drop_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckpointRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    act_as_by_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    act_as: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ActAsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    create_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    set_authority: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAuthorityRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
    set_balance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBalanceRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentControls"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalServiceError"];
            503: components["responses"]["Busy"];
        };
    };
}
