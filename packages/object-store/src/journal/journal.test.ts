import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { START_POSITION } from '../index-db/ordered-index.ts'
import { StoreJournal } from './journal.ts'
import { encodeFrame, type JournalFrame } from './journal-frame.ts'
import { JournalGap, readFrames } from './read-frames.ts'

let folders: [string, string]
let journal: StoreJournal

beforeEach(async () => {
  const root = mkdtempSync(join(tmpdir(), 'stowage-journal-'))
  folders = [join(root, 'a'), join(root, 'b')]
  journal = new StoreJournal()
  expect(await journal.rotate(folders, 1, 0)).toEqual([])
})

afterEach(async () => {
  await journal.close()
  rmSync(join(folders[0], '..'), { recursive: true })
})

const frame = (number: number): JournalFrame => ({
  position: { ...START_POSITION, frame: number, seq: number },
  ops: [
    { key: Buffer.from(`key ${number}`), value: Buffer.alloc(50, number) },
    { key: Buffer.from('gone'), value: undefined },
  ],
  changes: [{ seq: number, time: 0, type: 'object-put', bucket: 'b', key: 'k' }],
})

async function append(...numbers: number[]): Promise<void> {
  for (const number of numbers) expect(await journal.append(encodeFrame(frame(number)))).toEqual([])
}

async function read(from = 1): Promise<number[]> {
  const found: number[] = []
  for await (const next of readFrames(folders, { from })) {
    expect(next).toEqual(frame(next.position.frame))
    found.push(next.position.frame)
  }
  return found
}

async function overwrite(folder: string, at: number, bytes = 1): Promise<void> {
  const [name = ''] = (await readdir(folder)).sort()
  const file = await open(join(folder, name), 'r+')
  await file.write(Buffer.alloc(bytes, 0x55), 0, bytes, at)
  await file.close()
}

const FRAME_BYTES = encodeFrame(frame(1)).length

test('frames come back as they were, from where they are asked for, over segments', async () => {
  await append(1, 2)
  await journal.rotate(folders, 3, 2)
  await append(3, 4)
  expect(await read()).toEqual([1, 2, 3, 4])
  expect(await read(3)).toEqual([3, 4])
  expect(await read(5)).toEqual([])
})

test('what one copy lost the other gives', async () => {
  await append(1, 2, 3, 4)
  await overwrite(folders[0], FRAME_BYTES + 60)
  await overwrite(folders[1], 2 * FRAME_BYTES + 3)
  expect(await read()).toEqual([1, 2, 3, 4])
  await rm(folders[0], { recursive: true })
  await expect(read()).rejects.toThrow(JournalGap)
  expect(await read(4)).toEqual([4])
})

test('frames lost in both copies are an error when later ones are there', async () => {
  await append(1, 2, 3)
  await journal.rotate(folders, 4, 3)
  await append(4)
  for (const folder of folders) await overwrite(folder, FRAME_BYTES + 60)
  await expect(read()).rejects.toThrow(JournalGap)
  await expect(read(2)).rejects.toThrow(JournalGap)
  // Segments that nobody needs any more may be lost.
  expect(await read(3)).toEqual([3, 4])
  for (const folder of folders) await overwrite(folder, 2 * FRAME_BYTES + 60)
  await expect(read(3)).rejects.toThrow(JournalGap)
})

test('a frame torn at the end is no frame', async () => {
  await append(1, 2)
  for (const folder of folders) await overwrite(folder, 2 * FRAME_BYTES - 5, 5)
  expect(await read()).toEqual([1])
})

test('what was written behind the place where the next segment begins does not count', async () => {
  await append(1, 2, 3)
  await journal.rotate(folders, 3, 2)
  await append(3)
  expect(await read()).toEqual([1, 2, 3])
})

test('a folder that fails is not written again; the other one is', async () => {
  await append(1)
  const missing = join(folders[1], 'taken', 'away')
  const failed = await journal.rotate([folders[0], missing], 2, 1)
  expect(failed).toMatchObject([{ folder: missing }])
  expect(journal.folders).toEqual([folders[0]])
  await append(2)
  expect(await read()).toEqual([1, 2])
})

test('old segments are removed when they are not needed', async () => {
  await append(1, 2)
  await journal.rotate(folders, 3, 2)
  await append(3)
  await journal.rotate(folders, 4, 3)
  await journal.removeUnneededSegments(2, 1)
  expect(await read()).toEqual([1, 2, 3])
  await journal.removeUnneededSegments(2, 2)
  expect(await read(3)).toEqual([3])
  await journal.removeUnneededSegments(3, 3)
  expect(await readdir(folders[1])).toHaveLength(1)
  expect(statSync(folders[1]).isDirectory()).toBe(true)
  await mkdir(join(folders[1], 'unknown'))
  expect(await read(4)).toEqual([])
})
