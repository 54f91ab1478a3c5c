import assert from 'node:assert/strict'
import type { UndoLog } from './undo_log.ts'

/** One level of undo. Exactly one of `undo`, `squash` and `push` ends it, inner sessions first. */
export class Session {
  private readonly undo_log: UndoLog
  private readonly depth: number
  private open = true

  constructor(undo_log: UndoLog) {
    undo_log.start()
    this.undo_log = undo_log
    this.depth = undo_log.depth
  }

  /** Undoes all changes since the start of the session. */
  undo(): void {
    this.end()
    this.undo_log.undo()
  }

  /** Merges the changes into the outer session, or makes them final if there is none. */
  squash(): void {
    this.end()
    this.undo_log.squash()
  }

  /** Leaves the session on the stack: later `Database.undo` or `Database.commit` ends it. */
  push(): void {
    this.end()
  }

  private end(): void {
    assert(this.open, 'a session ends once')
    assert.equal(this.undo_log.depth, this.depth, 'inner sessions end first')
    this.open = false
  }
}
