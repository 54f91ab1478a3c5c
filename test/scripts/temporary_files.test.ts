import { expect } from 'chai'

const FILE = new URL('../../scripts/test/temporary_files.mjs', import.meta.url).href

describe('temporary files of the tests', () => {
  it('are in memory only where programs run from it', async () => {
    const { runsPrograms } = (await import(FILE)) as {
      runsPrograms: (folder: string, mounts: string) => boolean
    }
    const runs = (...mounts: string[]): boolean =>
      runsPrograms('/dev/shm', ['tmpfs /dev tmpfs rw,noexec 0 0', ...mounts, ''].join('\n'))
    const usual = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0'
    const of_container = 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0'
    expect(runs(usual)).equal(true)
    expect(runs(of_container)).equal(false)
    expect(runs(usual, of_container)).equal(false)
    expect(runs()).equal(false)
  })
})
