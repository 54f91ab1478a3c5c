import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SyncRequest } from '../../../src/engine/store/sync_request.ts'
import { SyncThread } from '../../../src/engine/store/sync_thread.ts'
import { temporaryFolder } from './temporary_folder.ts'

/** No file has this descriptor. */
const CLOSED_FILE = 1_000_000

describe('SyncThread', () => {
  const file = join(temporaryFolder(), 'file')
  let thread: SyncThread
  let fd: number

  beforeEach(() => {
    thread = new SyncThread()
    fd = openSync(file, 'w')
  })
  afterEach(async () => {
    await thread.close()
    closeSync(fd)
  })

  it('syncs files while the calling thread does other work, as long as there is any', () => {
    let parts = 0
    // This work ends only because the thread has synced the file.
    for (let i = 0; i < 3; i++) thread.sync(fd, () => (parts++, true))
    thread.sync(fd, () => false)
    expect(parts).at.least(1)
  })

  it('gives the error of the system', () => {
    for (const is_more of [true, false]) {
      expect(() => thread.sync(CLOSED_FILE, () => is_more))
        .throw(/EBADF: bad file descriptor, fsync/)
        .include({ code: 'EBADF', syscall: 'fsync' })
    }
  })

  it('waits for the file also if the other work fails', () => {
    const fail = (): boolean => {
      throw new Error('the other work fails')
    }
    expect(() => thread.sync(fd, fail)).throw('the other work fails')
    thread.sync(fd, () => true)
  })
})

describe('SyncRequest', () => {
  it('is done by the thread that waits for it if no other has begun', () => {
    const request = new SyncRequest()
    request.give(CLOSED_FILE)
    expect(request.isDone).equal(false)
    expect(() => request.finish()).throw('EBADF')
  })
})
