import { expect } from 'chai'
import type { DatabaseContext } from '../../../src/engine/vm/database/database_context.ts'
import { TableDirectory, type TableRow } from '../../../src/engine/vm/database/table_directory.ts'

describe('the directory of contract tables', () => {
  it('finds each table by its code, scope and name, again and again', () => {
    const values = [1n, 2n, 3n]
    const tables = values.flatMap((code) =>
      values.flatMap((scope) => values.map((table) => ({ code, scope, table }) as TableRow)),
    )
    const context = {
      db: {
        table_id: {
          find: (_: string, code: bigint, scope: bigint, table: bigint) =>
            tables.find((row) => row.code === code && row.scope === scope && row.table === table),
        },
      },
    }
    const directory = new TableDirectory(context as unknown as DatabaseContext)
    for (let round = 0; round < 2; round++) {
      for (const row of tables) {
        // The second time it is one that was found last.
        for (let time = 0; time < 2; time++) {
          expect(directory.find(row.code, row.scope, row.table)).equal(row)
        }
        expect(directory.find(row.code, row.scope, 4n)).equal(undefined)
      }
    }
  })
})
