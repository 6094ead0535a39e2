import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { S3Error } from '../lib/errors.ts'
import { ensureFolder } from '../lib/folder.ts'
import {
  type DeploymentLayout,
  type DriveIdentityFile,
  FORMAT_VERSION,
  readDeploymentLayout,
  readDriveIdentityFile,
  writeDeploymentLayout,
} from './deployment-layout.ts'
import { inspectFolderWithoutIdentity, StoreDrive } from './drive.ts'

/** The drives of a deployment and its layout, kept in the data folder and on every drive. */
export class DrivePool {
  #next = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(
    readonly data: string,
    readonly drives: StoreDrive[],
    public layout: DeploymentLayout,
    readonly minFree: number,
    /** Slots that were formatted while opening: what belongs there must be brought back. */
    readonly freshSlots: Set<number>,
  ) {}

  bySlot(slot: number): StoreDrive | undefined {
    return this.drives.find((drive) => drive.slot === slot)
  }

  get usable(): StoreDrive[] {
    return this.drives.filter((drive) => drive.usable)
  }

  get members(): StoreDrive[] {
    return this.usable.filter((drive) => this.layout.members.includes(drive.slot))
  }

  /** Changes the layout; resolves when it is durable everywhere. */
  changeLayout(change: Partial<Pick<DeploymentLayout, 'members' | 'drives' | 'documents'>>): Promise<void> {
    this.layout = { ...this.layout, ...change, epoch: this.layout.epoch + 1 }
    const write = () => this.#writeLayout()
    const written = this.#writing.then(write, write)
    this.#writing = written
    return written
  }

  async #writeLayout(): Promise<void> {
    const { layout } = this
    await writeDeploymentLayout(join(this.data, 'format.json'), layout)
    // A drive that refuses it is stale or missing, which the watch detects.
    await Promise.allSettled(this.usable.map((drive) => drive.writeIdentity(layout)))
  }

  /**
   * Drives for a new blob, the best first: each in its turn, those with room.
   * @throws S3Error XMinioStorageFull
   */
  chooseDrives(bytes: number): StoreDrive[] {
    const roomy = this.usable.filter((drive) => drive.free - bytes >= this.minFree)
    // Every byte is stored twice, so a single drive with space is not enough.
    if (roomy.length < Math.min(2, this.usable.length) || roomy.length === 0) throw storageFull()
    const first = this.#next++ % roomy.length
    return [...roomy.slice(first), ...roomy.slice(0, first)]
  }

  /** Subtracts written bytes from a drive's free space until it is measured again. */
  subtractFree(on: StoreDrive, bytes: number): void {
    for (const drive of this.drives) if (drive === on || drive.device === on.device) drive.free -= bytes
  }

  /** @throws S3Error XMinioStorageFull when journal and index have no room for another write */
  checkRoom(bytes: number): void {
    for (const drive of this.members) if (drive.free - bytes < this.minFree) throw storageFull()
  }
}

export function storageFull(cause?: unknown): S3Error {
  const text = 'Storage backend has reached its minimum free drive threshold. Please delete a few objects to proceed.'
  return new S3Error('XMinioStorageFull', text, { cause })
}

interface FoundFolder {
  path: string
  file: DriveIdentityFile | undefined
}

/**
 * Opens the folders of a deployment, or makes a new one of empty folders. A folder that was wiped gets its slot back.
 * @throws Error when a folder holds something else, or belongs to another deployment
 */
export async function openDrives(data: string, paths: string[], minFree: number): Promise<DrivePool> {
  if (paths.length === 0) throw new TypeError('the store needs at least one drive')
  const found = await Promise.all(paths.map(async (path) => inspectFolder(resolve(path))))
  const kept = await readDeploymentLayout(join(data, 'format.json'))
  const newest = [kept, ...found.map(({ file }) => file?.layout)]
    .filter((layout) => layout !== undefined)
    .reduce<DeploymentLayout | undefined>(
      (best, layout) => (best && best.epoch >= layout.epoch ? best : layout),
      undefined,
    )
  const deploymentId = kept?.deploymentId ?? newest?.deploymentId ?? randomUUID()
  for (const { path, file } of found) {
    if (file && file.layout.deploymentId !== deploymentId) {
      throw new Error(`${path} is a drive of another deployment (${file.layout.deploymentId}, not ${deploymentId})`)
    }
  }
  const layout: DeploymentLayout = newest ?? {
    version: FORMAT_VERSION,
    deploymentId,
    epoch: 0,
    documents: 'encrypted',
    members: [],
    drives: [],
  }
  const { drives, fresh } = assignSlots(found, layout)
  // Nothing belongs on the drives of a new deployment yet.
  const pool = new DrivePool(data, drives, layout, minFree, newest ? fresh : new Set())
  for (const drive of drives) {
    if (fresh.has(drive.slot)) await drive.format(layout)
    else {
      // A backup may have left out folders that were empty.
      await drive.makeFolders()
      await drive.rememberInode()
    }
    await drive.measure()
  }
  // An index from before documents were encrypted must not come back once they are: it holds them as plain text.
  const withoutIndex = drives.filter(
    (drive) => fresh.has(drive.slot) || (layout.documents === 'encrypted' && drive.plainDocuments),
  )
  // The last member is never taken from the list, so an empty one is a first start that was cut short.
  if (layout.members.length > 0 && pool.members.every((drive) => withoutIndex.includes(drive))) {
    const lost = layout.drives.filter((drive) => layout.members.includes(drive.slot)).map((drive) => drive.path)
    throw new Error(`All drives that keep the index are missing: ${lost.join(', ')}`)
  }
  await pool.changeLayout({
    members: pool.members.filter((drive) => !withoutIndex.includes(drive)).map(({ slot }) => slot),
    drives: [
      // Slots that are not configured now keep their numbers: blobs may name them, and the folder may come back.
      ...layout.drives.filter((drive) => !pool.bySlot(drive.slot)),
      ...drives.map(({ slot, id, path }) => ({ slot, id, path })),
    ],
  })
  return pool
}

async function inspectFolder(path: string): Promise<FoundFolder> {
  await ensureFolder(path)
  const file = await readDriveIdentityFile(join(path, 'drive.json'))
  if (file) return { path, file }
  const finding = await inspectFolderWithoutIdentity(path)
  if (finding.kind === 'foreign') throw new Error(`${path} cannot be a drive: ${finding.reason}`)
  return { path, file: undefined }
}

/** Assigns a slot to each folder: from its own file, else by its path, else the slot of a missing drive, else a new one. */
function assignSlots(found: FoundFolder[], layout: DeploymentLayout): { drives: StoreDrive[]; fresh: Set<number> } {
  const slots = new Map<string, number>()
  const taken = () => new Set(slots.values())
  for (const { path, file } of found) {
    if (!file) continue
    if (taken().has(file.slot)) throw new Error(`${path} is a copy of another drive of this deployment`)
    slots.set(path, file.slot)
  }
  const empty = found.filter(({ file }) => !file)
  for (const { path } of empty) {
    const known = layout.drives.find((drive) => drive.path === path && !taken().has(drive.slot))
    if (known) slots.set(path, known.slot)
  }
  for (const { path } of empty) {
    if (slots.has(path)) continue
    const orphan = layout.drives.find((drive) => !taken().has(drive.slot) && !found.some((f) => f.path === drive.path))
    const highest = Math.max(-1, ...layout.drives.map((drive) => drive.slot), ...taken())
    slots.set(path, orphan?.slot ?? highest + 1)
  }
  const drives = found.map(({ path, file }) => new StoreDrive(path, slots.get(path) ?? 0, file))
  return { drives, fresh: new Set(drives.filter((drive) => drive.id === '').map((drive) => drive.slot)) }
}
