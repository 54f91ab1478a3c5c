/**
 * Observes the changes of a table's rows, including undo, for an index elsewhere. For a changed
 * row, `removed` is called with the old row and then `added` with the new one.
 */
export interface RowWatcher<R> {
  removed(row: R): void
  added(row: R): void
}

/** The watchers of one table; any number. */
export class RowWatchers<R> {
  /** Replaced, never changed: it may be walked through. */
  private watchers: readonly RowWatcher<R>[] = []

  /** From now on the watcher follows the rows; the returned function ends that. */
  add(watcher: RowWatcher<R>): () => void {
    this.watchers = [...this.watchers, watcher]
    return () => {
      this.watchers = this.watchers.filter((other) => other !== watcher)
    }
  }

  /** Whether a watcher was added and not yet removed. */
  get areThere(): boolean {
    return this.watchers.length > 0
  }

  /** Reports a new row to all watchers, or the new form of a changed one. */
  added(row: R): void {
    for (const watcher of this.watchers) watcher.added(row)
  }

  /** Reports a row that was removed to all watchers, or the old form of a changed one. */
  removed(row: R): void {
    for (const watcher of this.watchers) watcher.removed(row)
  }
}
