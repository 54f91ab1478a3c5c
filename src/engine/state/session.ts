import assert from 'node:assert/strict'
import type { Journal } from './journal.ts'

/** One level of undo. Exactly one of `undo`, `squash` and `push` ends it, inner sessions first. */
export class Session {
  private readonly journal: Journal
  private readonly depth: number
  private open = true

  constructor(journal: Journal) {
    journal.start()
    this.journal = journal
    this.depth = journal.depth
  }

  /** Takes back everything since the session began. */
  undo(): void {
    this.end()
    this.journal.undo()
  }

  /** Makes the changes part of the session around it, or final when there is none. */
  squash(): void {
    this.end()
    this.journal.squash()
  }

  /** Leaves the session on the stack: later `Database.undo` or `Database.commit` ends it. */
  push(): void {
    this.end()
  }

  private end(): void {
    assert(this.open, 'a session ends once')
    assert.equal(this.journal.depth, this.depth, 'inner sessions end first')
    this.open = false
  }
}
