import { randomBytes } from 'node:crypto'
import { assumeRoleWithLdapIdentity, StsError } from '@stowage/madmin'
import type { Upstream } from '../../../lib/storage/upstream.ts'
import { upstreamConnection } from './sign-in-with-keys.ts'

/** How long the sign-in page waits for the answer (ms). */
const WAIT_MS = 1000
/** How long an answer is kept: its cost for the server is small. */
const FRESH_MS = 500
/** How long an answer is kept for which the server has searched its directory. */
const SEARCHED_MS = 60_000

/**
 * Finds out whether the storage server has a directory (LDAP) now, by a sign-in that must fail: a caller without credentials
 * cannot ask a server for it.
 */
export class DirectoryChoice {
  #known = { isThere: false, until: 0 }
  #asking: Promise<boolean> | undefined

  /** @param setting of the administrator; undefined: the server is asked */
  constructor(
    private readonly setting: boolean | undefined,
    private readonly upstream: Upstream,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether a password may be sent to the server for its directory; the server decides where nothing is set. */
  get isAllowed(): boolean {
    return this.setting !== false
  }

  /** Whether the sign-in page offers the directory. */
  async isOffered(): Promise<boolean> {
    if (this.setting !== undefined) return this.setting
    if (this.now() < this.#known.until) return this.#known.isThere
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return await this.#asking
  }

  async #ask(): Promise<boolean> {
    const { isThere, searched } = await probeDirectory(this.upstream).catch(() => ({ ...this.#known, searched: false }))
    this.#known = { isThere, until: this.now() + (searched ? SEARCHED_MS : FRESH_MS) }
    return isThere
  }
}

/** Asks for a session that no server grants: for a name that no directory has, for one second. */
async function probeDirectory(upstream: Upstream): Promise<{ isThere: boolean; searched: boolean }> {
  const [username, password] = [`check-${randomBytes(12).toString('hex')}`, randomBytes(12).toString('hex')]
  const signal = AbortSignal.timeout(WAIT_MS)
  try {
    const request = { username, password, durationSeconds: 1, signal }
    await assumeRoleWithLdapIdentity(upstreamConnection(upstream), request)
    return { isThere: true, searched: true }
  } catch (error) {
    if (!(error instanceof StsError)) throw error
    const isThere =
      (error.code === 'InvalidParameterValue' && !/not configured|unsupported action/i.test(error.message)) ||
      // The directory does not answer; the server may report this in its own words.
      (error.status >= 500 && /ldap|directory/i.test(error.message))
    return { isThere, searched: isThere && !/DurationSeconds/.test(error.message) }
  }
}
