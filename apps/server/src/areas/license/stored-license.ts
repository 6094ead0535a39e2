import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A license that was activated in the console, in a file of the data folder that other users may not read. */
export class StoredLicense {
  readonly #file: string

  constructor(dataFolder: string) {
    this.#file = join(dataFolder, 'license')
  }

  /** Returns the license, or undefined if none is stored. */
  async read(): Promise<string | undefined> {
    try {
      return (await readFile(this.#file, 'utf8')).trim()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async write(license: string): Promise<void> {
    const fresh = `${this.#file}.${randomBytes(6).toString('hex')}`
    await writeFile(fresh, `${license}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await rename(fresh, this.#file)
  }
}
