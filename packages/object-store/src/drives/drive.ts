import { randomUUID } from 'node:crypto'
import { access, readdir, realpath, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { closeToOthers } from '../lib/folder.ts'
import {
  type DeploymentLayout,
  type DriveIdentityFile,
  readDriveIdentityFile,
  writeDriveIdentityFile,
} from './deployment-layout.ts'
import { makeFolder, syncFolder } from './durable-files.ts'

/** Beginning of the name of a damaged copy of the index that was set aside. */
export const SET_ASIDE_PREFIX = 'index.damaged-'
const STORE_FILE_NAMES = new Set(['drive.json', 'drive.json.new', 'tmp', 'blobs', 'journal', 'index', 'lost+found'])

/** The state of a drive's folder. */
export type DriveFinding =
  | { kind: 'same' }
  /** Belongs to no deployment and is not being emptied. */
  | { kind: 'empty' }
  /** Its identity file was deleted; the rest is being deleted now. */
  | { kind: 'emptying' }
  | { kind: 'missing' | 'foreign' | 'unreadable'; reason: string }

/** A folder that the store was given, and what is known of its health. */
export class StoreDrive {
  state: 'ok' | 'offline' | 'healing' = 'ok'
  reason: string | undefined
  /** Share of the blobs that were checked since healing began, 0 to 1; undefined unless it is being healed. */
  healed: number | undefined
  /** Bytes of the file system that the store may use, without the part reserved for root. */
  total = 0
  free = 0
  /** The file system, which several drives may share. */
  device = 0
  id: string
  /** Its last layout dates from before documents were encrypted. */
  plainDocuments: boolean
  #inode: number | undefined
  /** Content of a folder without identity at the last check. */
  #remains: string | undefined

  constructor(
    /** The configured name. */
    readonly path: string,
    /** Number of the drive in the deployment, by which blobs refer to it. */
    readonly slot: number,
    file: DriveIdentityFile | undefined,
  ) {
    this.id = file?.id ?? ''
    this.plainDocuments = file?.layout.documents === 'plain'
  }

  get journalFolder(): string {
    return join(this.path, 'journal')
  }
  get indexFolder(): string {
    return join(this.path, 'index')
  }
  get temporaryFolder(): string {
    return join(this.path, 'tmp')
  }
  /** Returns the path of a blob until its commit is recorded here. */
  temporaryPath(blob: string): string {
    return join(this.path, 'tmp', blob)
  }
  blobPath(blob: string): string {
    return join(this.path, 'blobs', blob.slice(0, 2), blob)
  }
  get usable(): boolean {
    return this.state !== 'offline'
  }

  /** Makes an empty folder this drive, with a new identity. */
  async format(layout: DeploymentLayout): Promise<void> {
    this.id = randomUUID()
    await this.makeFolders()
    await this.writeIdentity(layout)
    await this.rememberInode()
  }

  async makeFolders(): Promise<void> {
    await makeFolder(this.temporaryFolder)
    await makeFolder(join(this.path, 'blobs'))
    await syncFolder(this.path)
  }

  async writeIdentity(layout: DeploymentLayout): Promise<void> {
    await writeDriveIdentityFile(join(this.path, 'drive.json'), { slot: this.slot, id: this.id, layout })
  }

  /** Notes the folder's inode, so that another folder under the same path is noticed. */
  async rememberInode(): Promise<void> {
    this.#inode = (await stat(this.path)).ino
  }

  /** Checks that the folder is still the same drive. */
  async examine(deploymentId: string): Promise<DriveFinding> {
    try {
      const { ino } = await stat(this.path)
      const file = await readDriveIdentityFile(join(this.path, 'drive.json'))
      if (!file) return await this.#examineRemains()
      this.#remains = undefined
      this.plainDocuments = file.layout.documents === 'plain'
      if (file.layout.deploymentId !== deploymentId) {
        return { kind: 'foreign', reason: 'the folder belongs to another deployment' }
      }
      if (file.id !== this.id) return { kind: 'foreign', reason: 'the folder is another drive of this deployment' }
      // The same files in another folder (such as a copy put in its place): our open files are no longer those in the folder.
      if (this.#inode !== undefined && ino !== this.#inode && this.state !== 'offline') {
        return { kind: 'unreadable', reason: 'the folder was replaced' }
      }
      return { kind: 'same' }
    } catch (error) {
      if (isFolderMissing(error)) return { kind: 'missing', reason: 'the folder is gone' }
      return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Waits until a running removal of the folder has ended: otherwise it would remove our new files as well. */
  async #examineRemains(): Promise<DriveFinding> {
    const finding = await inspectFolderWithoutIdentity(this.path)
    if (finding.kind !== 'empty') return finding
    const names = await readdir(this.path, { recursive: true })
    const remains = `${names.length} ${(await stat(this.path)).mtimeMs}`
    const settled = remains === this.#remains
    this.#remains = remains
    return { kind: settled ? 'empty' : 'emptying' }
  }

  /** Whether the folders are there that blobs are written to and, where they should be, journal and index. */
  async hasFolders(keepsIndex: boolean): Promise<{ blobs: boolean; index: boolean }> {
    const there = (path: string) =>
      access(path).then(
        () => true,
        () => false,
      )
    const blobs = (await there(this.temporaryFolder)) && (await there(join(this.path, 'blobs')))
    const index =
      !keepsIndex || ((await there(join(this.indexFolder, 'data.mdb'))) && (await there(this.journalFolder)))
    return { blobs, index }
  }

  /**
   * Closes to other users what is here. Blobs' files are left to their folder, for there may be millions, and to the check
   * that reads each of them.
   * @returns what could not be closed, as lines for the log
   */
  async closeToOthers(): Promise<string[]> {
    const top = await realpath(this.path)
    const paths = [top]
    for (const entry of await readdir(top, { withFileTypes: true })) {
      if (entry.name === 'lost+found') continue
      const path = join(top, entry.name)
      paths.push(path)
      if (entry.isDirectory()) paths.push(...(await readdir(path)).map((name) => join(path, name)))
    }
    return (await Promise.all(paths.map((path) => closeToOthers(path)))).flat()
  }

  /** Removes journal and index, which are never read again once the drive keeps them no more. */
  async removeIndex(): Promise<void> {
    for (const folder of [this.journalFolder, this.indexFolder]) await rm(folder, { recursive: true, force: true })
  }

  /** Removes damaged copies of the index that were set aside before documents were encrypted. */
  async removePlainCopies(): Promise<void> {
    if (!this.plainDocuments) return
    for (const name of await readdir(this.path)) {
      if (name.startsWith(SET_ASIDE_PREFIX)) await rm(join(this.path, name), { recursive: true, force: true })
    }
  }

  async measure(): Promise<void> {
    const { bsize, blocks, bfree, bavail } = await statfs(this.path)
    this.device = (await stat(this.path)).dev
    this.total = bsize * (blocks - (bfree - bavail))
    this.free = bsize * bavail
  }
}

/** Returns the state of a folder without a readable `drive.json`. */
export async function inspectFolderWithoutIdentity(path: string): Promise<DriveFinding> {
  const foreign = (await readdir(path)).find(
    (name) => !STORE_FILE_NAMES.has(name) && !name.startsWith(SET_ASIDE_PREFIX),
  )
  if (foreign === undefined) return { kind: 'empty' }
  return { kind: 'foreign', reason: `the folder holds "${foreign}", which is not the store's` }
}

function isFolderMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
