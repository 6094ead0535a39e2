import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { LmdbIndex } from './lmdb-index.ts'
import { MemoryIndex } from './memory-index.ts'
import { START_POSITION } from './ordered-index.ts'
import { orderedIndexSuite } from './ordered-index-suite.ts'

const root = mkdtempSync(join(tmpdir(), 'stowage-index-'))
let made = 0
afterAll(() => rmSync(root, { recursive: true }))

describe('in memory', () => orderedIndexSuite(() => new MemoryIndex()))
describe('LMDB', () => {
  orderedIndexSuite(() => LmdbIndex.open(join(root, `${made++}`)))

  test('the position is still there when it is opened again', async () => {
    const folder = join(root, `${made++}`)
    const first = LmdbIndex.open(folder)
    const position = { frame: 3, seq: 8, id: 12, count: 0, sum: 0 }
    await first.apply({ ops: [], position })
    await first.close()
    const again = LmdbIndex.open(folder)
    expect(again.position()).toEqual(position)
    expect(START_POSITION).not.toEqual(position)
    await again.close()
  })

  test('a copy holds the same entries and position', async () => {
    const source = LmdbIndex.open(join(root, `${made++}`))
    await source.apply({ ops: [], position: { ...START_POSITION, frame: 7 } })
    const folder = join(root, `${made++}`)
    mkdirSync(folder)
    await source.copyTo(folder)
    const copy = LmdbIndex.open(folder)
    expect(copy.position().frame).toBe(7)
    await copy.close()
    await source.close()
  })
})
