import type { Egress } from '@stowage/egress'
import type { Client } from 'ldapts'
import { firstDnValue, normalizeDn } from '../../lib/distinguished-name.ts'
import { S3Error } from '../../lib/errors.ts'
import type { LdapSettings } from './ldap-settings.ts'
import { type LdapUser, ldapSignInRefused } from './ldap-user.ts'

/** Maximum length of name and password (characters). */
const MAX_TEXT = 1024
/** Maximum number of connections to the directory. Needed because unsigned sign-in requests can come from anyone. */
const MAX_RUNNING = 32

/** The LDAP client is loaded only if a directory is configured. */
const load = () => import('./ldap-queries.ts')
type Queries = Awaited<ReturnType<typeof load>>

/**
 * Queries a directory about users and groups. Referrals are not followed, because they would decide where passwords are sent.
 */
export class LdapDirectory {
  #running = 0

  /**
   * @param settings the settings currently in effect
   * @param egress connects to the address that an administrator entered
   */
  constructor(
    private readonly settings: () => LdapSettings | undefined,
    private readonly egress: () => Promise<Pick<Egress, 'connect'>>,
  ) {}

  get isConfigured(): boolean {
    return this.settings() !== undefined
  }

  /** Whether the directory can be queried without a user's password. */
  get canLookUp(): boolean {
    return this.settings()?.lookup !== undefined
  }

  /** Duration of sessions that request none. */
  get sessionSeconds(): number {
    return this.#required().sessionSeconds
  }

  /**
   * Checks a password.
   * @throws S3Error InvalidParameterValue (name or password), XMinioLDAPNotEnabled, SlowDown, ServiceUnavailable
   */
  async signIn(username: string, password: string): Promise<LdapUser> {
    // A directory treats a bind without a password as anonymous, and accepts it.
    if (username === '' || password === '' || username.length > MAX_TEXT || password.length > MAX_TEXT)
      throw ldapSignInRefused()
    return await this.#query((queries, client, settings) =>
      queries.signInLdapUser(client, settings, username, password),
    )
  }

  /** Returns the distinguished name of a user, given that name or the sign-in name; undefined if not found. */
  findUser(text: string): Promise<string | undefined> {
    const dn = normalizeDn(text)
    return this.#lookUp(async (queries, client, settings) =>
      dn === undefined
        ? (await queries.findUserByName(client, settings, text))?.dn
        : await queries.findDn(client, dn, settings.userBases),
    )
  }

  /**
   * Like `findUser`, and returns the groups of the user too.
   * @throws S3Error InvalidRequest if the sign-in name cannot be derived from the distinguished name
   */
  findMember(text: string): Promise<LdapUser | undefined> {
    const named = normalizeDn(text)
    return this.#lookUp(async (queries, client, settings) => {
      const dn = named === undefined ? undefined : await queries.findDn(client, named, settings.userBases)
      if (named !== undefined && dn === undefined) return undefined
      const found = await queries.findUserByName(client, settings, dn === undefined ? text : (firstDnValue(dn) ?? ''))
      // Groups can be looked up by that name too, so another user's groups could be found.
      if (dn !== undefined && found?.dn !== dn) {
        throw new S3Error('InvalidRequest', 'Name this user by the name to sign in with.')
      }
      if (found === undefined) return undefined
      return { ...found, groups: await queries.findGroupDns(client, settings, found.dn, found.username) }
    })
  }

  /** Like `findUser`, for a group, which only has a distinguished name. */
  async findGroup(text: string): Promise<string | undefined> {
    const dn = normalizeDn(text)
    if (dn === undefined) return undefined
    return await this.#lookUp((queries, client, { groupBases }) => queries.findDn(client, dn, groupBases))
  }

  /**
   * Returns the present groups of users; undefined for users that no longer exist.
   * @param users sign-in names by distinguished name
   */
  currentGroups(users: ReadonlyMap<string, string>): Promise<Map<string, string[] | undefined>> {
    return this.#lookUp(async (queries, client, settings) => {
      const found = new Map<string, string[] | undefined>()
      for (const [dn, username] of users) {
        const isThere = (await queries.findDn(client, dn, settings.userBases)) !== undefined
        found.set(dn, isThere ? await queries.findGroupDns(client, settings, dn, username) : undefined)
      }
      return found
    })
  }

  #lookUp<T>(work: (queries: Queries, client: Client, settings: LdapSettings) => Promise<T>): Promise<T> {
    return this.#query(async (queries, client, settings) => {
      if (!settings.lookup) {
        const message = 'The directory can be searched only with a lookup account (lookup_bind_dn).'
        throw new S3Error('InvalidRequest', message)
      }
      await queries.bindLookupAccount(client, settings.lookup)
      return await work(queries, client, settings)
    })
  }

  async #query<T>(work: (queries: Queries, client: Client, settings: LdapSettings) => Promise<T>): Promise<T> {
    const settings = this.#required()
    if (this.#running >= MAX_RUNNING) throw new S3Error('SlowDown', 'Too many sign-ins at once. Try again.')
    this.#running++
    try {
      const [queries, { withLdapConnection }, egress] = await Promise.all([
        load(),
        import('./ldap-connection.ts'),
        this.egress(),
      ])
      return await withLdapConnection(settings, egress, (client) => work(queries, client, settings))
    } catch (error) {
      if (error instanceof S3Error) throw error
      const message = 'The directory does not answer as it should. Try again.'
      throw new S3Error('ServiceUnavailable', message, { cause: error })
    } finally {
      this.#running--
    }
  }

  #required(): LdapSettings {
    const settings = this.settings()
    if (!settings) throw ldapNotEnabled()
    return settings
  }
}

export function ldapNotEnabled(): S3Error {
  return new S3Error('XMinioLDAPNotEnabled', 'No directory (LDAP) is configured.')
}
