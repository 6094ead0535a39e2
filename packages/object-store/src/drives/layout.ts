import { readFile } from 'node:fs/promises'
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

function migrate(value: unknown, path: string): unknown {
  let current = value
  for (;;) {
    const { version } = z.looseObject({ version: z.number().int() }).parse(current)
    if (version === FORMAT_VERSION) return current
    const step = MIGRATIONS[version]
    if (!step) throw new Error(`${path} has format version ${version}; this program reads up to ${FORMAT_VERSION}`)
    current = step(current as object)
  }
}

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
    // Damaged: as good as missing, since every fact in it is kept elsewhere too.
    return undefined
  }
}

/** Undefined when there is none. @throws Error for a version that this program does not know */
export async function readLayout(path: string): Promise<Layout | undefined> {
  const value = await readJson(path)
  return value === undefined ? undefined : layout.safeParse(migrate(value, path)).data
}

/** Undefined when there is none, or it is damaged. */
export async function readDriveFile(path: string): Promise<DriveFile | undefined> {
  const value = await readJson(path)
  if (value === undefined) return undefined
  const outer = z.looseObject({ layout: z.unknown() }).safeParse(value).data
  return outer && driveFile.safeParse({ ...outer, layout: migrate(outer.layout, path) }).data
}

export async function writeLayout(path: string, value: Layout): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`)
}

export async function writeDriveFile(path: string, value: DriveFile): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`)
}
