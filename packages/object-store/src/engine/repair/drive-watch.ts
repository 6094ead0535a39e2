import type { StoreDrive } from '../../drives/drive.ts'
import type { DrivePool } from '../../drives/drive-pool.ts'

import type { EngineLog } from '../interface/types.ts'

/** Interval at which each drive is checked. */
const CHECK_MS = 1000

export interface DriveWatchEvents {
  /** Called when a drive failed its check. The drive is not used any more. */
  onLost: (drive: StoreDrive, reason: string) => Promise<void>
  /** Called when the same drive is back. */
  onReturned: (drive: StoreDrive) => Promise<void>
  /** Called after an empty folder in place of a drive was formatted as that drive. */
  onFormatted: (drive: StoreDrive) => Promise<void>
}

/** Checks the drives' identity: writes into a deleted folder succeed without an error. */
export class DriveWatch {
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #stopped = false

  constructor(
    private readonly pool: DrivePool,
    private readonly events: DriveWatchEvents,
    private readonly log: EngineLog,
  ) {}

  start(): void {
    this.#timer = setInterval(() => void this.checkDrives(), CHECK_MS).unref()
  }

  /** Checks now; joins a check that is already running. */
  checkDrives(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    this.#looking ??= Promise.all(this.pool.drives.map((drive) => this.#examine(drive)))
      .then(() => undefined)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#looking
  }

  async #examine(drive: StoreDrive): Promise<void> {
    try {
      const finding = await drive.examine(this.pool.layout.deploymentId)
      if (finding.kind === 'same') {
        await drive.measure()
        if (drive.state === 'offline') await this.#back(drive)
        else await this.#checkFolders(drive)
        return
      }
      const reason = 'reason' in finding ? finding.reason : 'the folder was emptied'
      if (drive.state !== 'offline') {
        drive.state = 'offline'
        this.log.error({ drive: drive.path, reason }, 'a drive is offline')
        await this.events.onLost(drive, reason)
      }
      drive.reason = reason
      if (finding.kind === 'empty') await this.#format(drive)
    } catch (error) {
      this.log.error({ err: error, drive: drive.path }, 'a drive could not be examined')
    }
  }

  /** Checks that no other program has removed some of the drive's folders. */
  async #checkFolders(drive: StoreDrive): Promise<void> {
    const there = await drive.hasFolders(this.pool.layout.members.includes(drive.slot))
    if (!there.index) await this.events.onLost(drive, 'journal or index was removed')
    if (there.blobs) return
    this.log.error({ drive: drive.path }, 'folders of a drive were removed')
    await this.#back(drive)
  }

  async #back(drive: StoreDrive): Promise<void> {
    await drive.makeFolders()
    for (const open of await drive.closeToOthers()) this.log.warn({ drive: drive.path }, open)
    await drive.removePlainCopies()
    await drive.rememberInode()
    // It lacks the changes made while it was missing, and its layout file is outdated.
    drive.state = 'healing'
    drive.reason = undefined
    this.log.info({ drive: drive.path }, 'a drive is back')
    await this.pool.changeLayout({})
    await this.events.onReturned(drive)
  }

  async #format(drive: StoreDrive): Promise<void> {
    await drive.format(this.pool.layout)
    await drive.measure()
    drive.state = 'healing'
    drive.reason = undefined
    this.log.info({ drive: drive.path }, 'an empty folder was made a drive again')
    const others = this.pool.layout.drives.filter(({ slot }) => slot !== drive.slot)
    await this.pool.changeLayout({ drives: [...others, { slot: drive.slot, id: drive.id, path: drive.path }] })
    await this.events.onFormatted(drive)
  }
}
