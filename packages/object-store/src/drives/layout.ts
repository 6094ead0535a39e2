import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { replaceFile } from './files.ts'

/**
 * What a deployment consists of. Kept in the data folder (`format.json`) and on each drive (`drive.json`), always written
 * to all of them; the one with the highest epoch counts, so a drive that was away cannot bring back an old state.
 */
const layout = z.object({
  version: z.literal(1),
  deploymentId: z.string(),
  /** Grows by one with each change. */
  epoch: z.number().int(),
  /** Slots of the drives whose journal and index are up to date. */
  members: z.array(z.number().int()),
  drives: z.array(z.object({ slot: z.number().int(), id: z.string(), path: z.string() })),
})
export type Layout = z.infer<typeof layout>

const driveFile = z.object({ slot: z.number().int(), id: z.string(), layout })
/** Which drive a folder is. */
export type DriveFile = z.infer<typeof driveFile>

export const FORMAT_VERSION = 1

/**
 * Steps from one format version to the next, by the version they start from. A release that changes the format adds one
 * here; a file of a newer version than ours is refused, because we could only damage what we do not understand.
 */
const MIGRATIONS: Record<number, (old: object) => object> = {}

function migrate(value: object, path: string): unknown {
  let current: object = value
  for (;;) {
    const version = z.looseObject({ version: z.number().int() }).safeParse(current).data?.version
    if (version === undefined || version === FORMAT_VERSION) return current
    const step = MIGRATIONS[version]
    if (!step) throw new Error(`${path} has format version ${version}; this program reads up to ${FORMAT_VERSION}`)
    current = step(current)
  }
}

/** The file's value; undefined when there is none, or it is damaged: every fact in it is kept elsewhere too. */
async function readJson(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined when there is none, or it is damaged. @throws Error for a version that this program does not know */
export async function readLayout(path: string): Promise<Layout | undefined> {
  const value = await readJson(path)
  if (!isRecord(value)) return undefined
  const found = layout.safeParse(migrate(value, path)).data
  return found && value.sum === sumOf(found) ? found : undefined
}

/** Undefined when there is none, or it is damaged. @throws Error for a version that this program does not know */
export async function readDriveFile(path: string): Promise<DriveFile | undefined> {
  const value = await readJson(path)
  if (!isRecord(value) || !isRecord(value.layout)) return undefined
  const found = driveFile.safeParse({ ...value, layout: migrate(value.layout, path) }).data
  return found && value.sum === sumOf(found) ? found : undefined
}

export async function writeLayout(path: string, value: Layout): Promise<void> {
  await writeSummed(path, layout.parse(value))
}

export async function writeDriveFile(path: string, value: DriveFile): Promise<void> {
  await writeSummed(path, driveFile.parse(value))
}

async function writeSummed(path: string, value: Layout | DriveFile): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ ...value, sum: sumOf(value) }, undefined, 2)}\n`)
}

/** Of the value as the schema orders it, so it does not depend on how the text is laid out. */
function sumOf(value: Layout | DriveFile): number {
  return crc32(JSON.stringify(value))
}

function isRecord(value: unknown): value is { sum?: unknown; layout?: unknown } {
  return typeof value === 'object' && value !== null
}
