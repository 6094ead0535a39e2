import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningCredentials } from '@stowage/sigv4'

/** The only actions that the sampler's identity may use. */
export const SAMPLER_ACTIONS = [
  'admin:Prometheus',
  'admin:ServerInfo',
  'admin:StorageInfo',
  'admin:DataUsageInfo',
] as const

export const SAMPLER_POLICY = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: [...SAMPLER_ACTIONS], Resource: ['arn:aws:s3:::*'] }],
}

/** The credentials with which the console samples metrics. */
export interface SamplerIdentity {
  /** Undefined without credentials; nothing is sampled then. @throws network errors */
  current(): Promise<SigningCredentials | undefined>
  /** Reports that the server no longer accepts these credentials. */
  refused(): void
}

interface Sealing {
  seal(text: string): string
  open(sealed: string): string | undefined
}

interface StoredKey {
  /** Origin of the storage server that issued the key. */
  server: string
  accessKey: string
  secretKey: string
}

/** The service account created for sampling by an administrator; its key is sealed in the data folder. */
export class StoredIdentity implements SamplerIdentity {
  readonly #file: string
  #kept: Promise<StoredKey | undefined> | undefined

  constructor(
    private readonly folder: string,
    private readonly server: string,
    private readonly sealing: Sealing,
  ) {
    this.#file = join(folder, 'identity')
  }

  async current(): Promise<SigningCredentials | undefined> {
    this.#kept ??= this.#read()
    const kept = await this.#kept
    return kept && { accessKey: kept.accessKey, secretKey: kept.secretKey }
  }

  refused(): void {}

  async keep({ accessKey, secretKey }: { accessKey: string; secretKey: string }): Promise<void> {
    const kept: StoredKey = { server: this.server, accessKey, secretKey }
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const fresh = `${this.#file}.new`
    await writeFile(fresh, this.sealing.seal(JSON.stringify(kept)), { mode: 0o600, flush: true })
    await rename(fresh, this.#file)
    this.#kept = Promise.resolve(kept)
  }

  async forget(): Promise<void> {
    await rm(this.#file, { force: true })
    this.#kept = Promise.resolve(undefined)
  }

  async #read(): Promise<StoredKey | undefined> {
    const sealed = await readFile(this.#file, 'utf8').catch(() => '')
    const text = this.sealing.open(sealed.trim())
    if (text === undefined) return undefined
    const kept = JSON.parse(text) as StoredKey
    // Do not send the key of another server to this one.
    return kept.server === this.server ? kept : undefined
  }
}

/** Returns credentials that are renewed before they expire, or if they are refused. */
export function createRenewingIdentity(
  ask: () => Promise<{ credentials: SigningCredentials; expiration: Date }>,
): SamplerIdentity {
  let known: { credentials: SigningCredentials; expiration: Date } | undefined
  return {
    async current() {
      if (!known || known.expiration.getTime() < Date.now() + 60_000) known = await ask()
      return known.credentials
    },
    refused: () => {
      known = undefined
    },
  }
}

export function createFixedIdentity(credentials: SigningCredentials): SamplerIdentity {
  return { current: async () => credentials, refused: () => {} }
}
