import type { Logger } from 'pino'
import type { StoreConfig } from '../config/config.ts'
import { parseDurationMs, parseSwitch, splitList } from '../config/value-types.ts'
import type { Engine } from '../engine/interface/types.ts'
import type { Iam } from '../iam/iam.ts'
import type { ExternalUser } from '../iam/iam-records.ts'
import { type LdapSettings, ldapSettingsProblem, readLdapSettings } from '../iam/ldap/ldap-settings.ts'
import {
  hasOpenIdProvider,
  type OpenIdProvider,
  openIdProblem,
  readOpenIdProviders,
} from '../iam/openid/openid-providers.ts'
import type { LifecyclePace } from '../lifecycle/lifecycle-scanner.ts'
import { compressionRule } from './compression-rule.ts'
import { OriginRules } from './origin-rules.ts'
import { hasOtherAdministrator } from './other-administrator.ts'
import { StaleUploads } from './stale-uploads.ts'

/** Share of one core that the background check may use. */
const SCAN_SHARES: Readonly<Record<string, number>> = { slowest: 0.01, slow: 0.02, fast: 0.25, fastest: 1 }
const DEFAULT_SCAN_SHARE = 0.05

/** The parts of the configuration that take effect immediately, kept up to date. */
export class AppliedConfig {
  maxRequests = 0
  /** How long a drive may take to answer before the health check counts it as failed. */
  clusterDeadlineMs = 0
  lifecyclePace: LifecyclePace = { share: DEFAULT_SCAN_SHARE, transitions: 1, expirations: 1 }
  /** The directory of external users; undefined if none is configured. */
  ldap: LdapSettings | undefined
  /** The providers whose ID tokens open sessions. */
  openid: readonly OpenIdProvider[] = []
  origins = new OriginRules(['*'])
  #rootAccess = true
  readonly #config: StoreConfig
  readonly #engine: Engine
  readonly #iam: Iam
  readonly #staleUploads: StaleUploads
  #otherAdministrator: { generation: number; found: boolean } | undefined

  constructor(config: StoreConfig, engine: Engine, iam: Iam, log: Logger) {
    this.#config = config
    this.#engine = engine
    this.#iam = iam
    this.#staleUploads = new StaleUploads(engine, log)
    for (const problem of config.problems()) log.warn({ problem }, 'a setting is not good and is not used')
    config.guard('api', ({ root_access }) =>
      parseSwitch(root_access ?? '') === false && !hasOtherAdministrator(iam)
        ? 'root_access cannot be off before another enabled user may change the configuration (admin:ConfigUpdate)'
        : undefined,
    )
    config.guard('identity_ldap', ldapSettingsProblem)
    config.onChange('identity_ldap', () => this.#applyLdap())
    config.guard('identity_openid', (values, target) => openIdProblem(config, values, target))
    config.onChange('identity_openid', () => {
      this.#applyOpenId()
      this.#endSessions(log)
    })
    config.onChange('api', () => this.#applyApi())
    for (const name of ['scanner', 'heal', 'ilm']) config.onChange(name, () => this.#applyPace())
    config.onChange('compression', () => this.#applyCompression())
    this.#applyApi()
    this.#applyPace()
    this.#applyLdap()
    this.#applyOpenId()
    this.#applyCompression()
    const problem = ldapSettingsProblem(config.values('identity_ldap'))
    if (problem !== undefined) log.warn({ problem }, 'the directory (LDAP) is not used')
  }

  /** Root is also allowed while disabled if nobody else could enable it again. */
  get isRootAllowed(): boolean {
    if (this.#rootAccess) return true
    const { generation } = this.#iam
    if (this.#otherAdministrator?.generation !== generation) {
      this.#otherAdministrator = { generation, found: hasOtherAdministrator(this.#iam) }
    }
    return !this.#otherAdministrator.found
  }

  async stop(): Promise<void> {
    await this.#staleUploads.stop()
  }

  #applyApi(): void {
    const api = this.#config.values('api')
    this.maxRequests = Number(api.requests_max)
    this.clusterDeadlineMs = parseDurationMs(api.cluster_deadline ?? '') ?? 0
    this.origins = new OriginRules(splitList(api.cors_allow_origin ?? ''))
    this.#rootAccess = parseSwitch(api.root_access ?? '') !== false
    this.#engine.setMaxVersions(Number(api.object_max_versions))
    this.#staleUploads.configure({
      expiryMs: parseDurationMs(api.stale_uploads_expiry ?? '') ?? 0,
      intervalMs: parseDurationMs(api.stale_uploads_cleanup_interval ?? '') ?? 0,
    })
  }

  #applyCompression(): void {
    this.#engine.setCompressionRule(compressionRule(this.#config.values('compression')))
  }

  #applyLdap(): void {
    this.ldap = readLdapSettings(this.#config.values('identity_ldap'))
  }

  #applyOpenId(): void {
    this.openid = readOpenIdProviders(this.#config)
  }

  /** Ends the sessions of removed providers, so that they stay ended if a provider is added again. */
  #endSessions(log: Logger): void {
    const isOfRemovedProvider = (external: ExternalUser | undefined) =>
      external !== undefined && external.kind !== 'ldap' && !hasOpenIdProvider(this.openid, external.provider)
    this.#iam
      .update(() =>
        [...this.#iam.sessions.entries()]
          .filter(([, { external }]) => isOfRemovedProvider(external))
          .map(([accessKey]) => this.#iam.sessions.change(accessKey, undefined)),
      )
      .catch((err: unknown) => log.error({ err }, 'sessions of a removed identity provider could not be deleted'))
  }

  #applyPace(): void {
    const { speed = '' } = this.#config.values('scanner')
    const { bitrotscan = '' } = this.#config.values('heal')
    const { transition_workers, expiration_workers } = this.#config.values('ilm')
    const share = SCAN_SHARES[speed] ?? DEFAULT_SCAN_SHARE
    this.lifecyclePace = { share, transitions: Number(transition_workers), expirations: Number(expiration_workers) }
    this.#engine.setScrubPace({
      share,
      blobs: parseSwitch(bitrotscan) !== false,
    })
  }
}
