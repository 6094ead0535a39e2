import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { replaceFile } from './durable-files.ts'

/**
 * The composition of a deployment. Stored in the data folder (`format.json`) and on each drive (`drive.json`), always written
 * to all of them; the highest epoch counts, so a drive that was missing cannot restore an old state.
 */
const layoutSchema = z.object({
  version: z.literal(3),
  deploymentId: z.string(),
  /** Grows by one with each change. */
  epoch: z.number().int(),
  /** `plain` until every document in index and journal has been encrypted and the unencrypted ones are deleted. */
  documents: z.enum(['plain', 'encrypted']),
  /** Slots of the drives whose journal and index are up to date. */
  members: z.array(z.number().int()),
  drives: z.array(z.object({ slot: z.number().int(), id: z.string(), path: z.string() })),
})
export type DeploymentLayout = z.infer<typeof layoutSchema>

const driveFileSchema = z.object({ slot: z.number().int(), id: z.string(), layout: layoutSchema })
/** Identifies the drive in a folder. */
export type DriveIdentityFile = z.infer<typeof driveFileSchema>

export const FORMAT_VERSION = 3

/**
 * Steps from one format version to the next, by the version they start from. A release that changes the format adds one
 * here; a file of a newer version than ours is refused, because we could only damage what we do not understand.
 */
const MIGRATIONS: Record<number, (old: object) => object> = {
  // The documents are encrypted by `engine/encryption/encrypt-documents.ts`, which then changes `plain`.
  1: (old) => ({ ...old, version: 2, documents: 'plain' }),
  // Versions can be locked: a program that does not know locks would remove what they protect.
  2: (old) => ({ ...old, version: 3 }),
}

const versionSchema = z.looseObject({ version: z.number().int() })

/** @throws Error for a version that this program does not know */
function checkFormatVersion(value: object, path: string): void {
  const version = versionSchema.safeParse(value).data?.version
  if (version === undefined || version === FORMAT_VERSION || MIGRATIONS[version]) return
  throw new Error(`${path} has format version ${version}; this program reads up to ${FORMAT_VERSION}`)
}

function migrateLayout(value: object): object {
  let current = value
  for (;;) {
    const version = versionSchema.safeParse(current).data?.version
    const step = version === undefined ? undefined : MIGRATIONS[version]
    if (!step) return current
    current = step(current)
  }
}

/** Returns the file's value; undefined if it is missing or damaged, because all of it is also stored elsewhere. */
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

/** Returns undefined if the file does not exist or is damaged. @throws Error for a version that this program does not know */
export async function readDeploymentLayout(path: string): Promise<DeploymentLayout | undefined> {
  const value = await readJson(path)
  if (!isRecord(value)) return undefined
  checkFormatVersion(value, path)
  return hasValidChecksum(value) ? layoutSchema.safeParse(migrateLayout(value)).data : undefined
}

/** Returns undefined if the file does not exist or is damaged. @throws Error for a version that this program does not know */
export async function readDriveIdentityFile(path: string): Promise<DriveIdentityFile | undefined> {
  const value = await readJson(path)
  if (!isRecord(value) || !isRecord(value.layout)) return undefined
  checkFormatVersion(value.layout, path)
  return hasValidChecksum(value)
    ? driveFileSchema.safeParse({ ...value, layout: migrateLayout(value.layout) }).data
    : undefined
}

export async function writeDeploymentLayout(path: string, value: DeploymentLayout): Promise<void> {
  await writeWithChecksum(path, layoutSchema.parse(value))
}

export async function writeDriveIdentityFile(path: string, value: DriveIdentityFile): Promise<void> {
  await writeWithChecksum(path, driveFileSchema.parse(value))
}

async function writeWithChecksum(path: string, value: DeploymentLayout | DriveIdentityFile): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ ...value, sum: layoutChecksum(value) }, undefined, 2)}\n`)
}

/** Returns the checksum of the value as written, in any version; whitespace is ignored. */
function layoutChecksum(value: object): number {
  return crc32(JSON.stringify(value))
}

function hasValidChecksum({ sum, ...value }: { sum?: unknown }): boolean {
  return sum === layoutChecksum(value)
}

function isRecord(value: unknown): value is { sum?: unknown; layout?: unknown } {
  return typeof value === 'object' && value !== null
}
