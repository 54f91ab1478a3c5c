import assert from 'node:assert/strict'

/** One level of undo. Exactly one of `undo`, `squash` and `push` ends it, inner sessions first. */
export class Session {
  /** Takes back everything since the session began. */
  undo(): void {
    assert.fail('the state is not built yet')
  }

  /** Makes the changes part of the session around it, or final when there is none. */
  squash(): void {
    assert.fail('the state is not built yet')
  }

  /** Leaves the session on the stack: later `Database.undo` or `Database.commit` ends it. */
  push(): void {
    assert.fail('the state is not built yet')
  }
}
