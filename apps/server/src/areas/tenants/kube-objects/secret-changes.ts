import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { reason } from '@stowage/contract'
import { type Kube, KubeError, resources, type SavedKubeObject, TENANT_LABEL } from '@stowage/kube'
import type { Secret } from 'kubernetes-types/core/v1'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { deleteKubeObject } from '../../../lib/kube/delete-kube-object.ts'
import { isUnverifiedChange, makeVerifiedChange } from '../../../lib/kube/verified-change.ts'
import type { TenantReference } from './change-tenant.ts'

interface SecretUpdate {
  before: SavedKubeObject<Secret>
  after: SavedKubeObject<Secret>
}

/**
 * Secrets that a call creates or replaces before it changes the tenant. If the call fails, they are as they were before. The
 * writes have no signal, because a caller that disconnects must not end the call between two of them.
 */
export class SecretChanges {
  readonly #made: { name: string; uid: string }[] = []
  readonly #replaced: SavedKubeObject<Secret>[] = []
  readonly #updated: SecretUpdate[] = []

  /** @param referenced names of secrets to which the tenant refers; they are its own without a label too */
  constructor(
    private readonly kube: Kube,
    private readonly at: TenantReference,
    private readonly referenced: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * Creates a secret; replaces one of the same tenant, or of a former tenant of that name.
   * @throws HttpError 409 if the secret belongs to something else; KubeError
   */
  async put(secret: Secret): Promise<void> {
    try {
      await this.#create(secret)
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'AlreadyExists') throw error
      const name = secretName(secret)
      const before = await this.kube.get(resources.secrets, { namespace: this.at.namespace, name })
      if (before.metadata.labels?.[TENANT_LABEL] !== this.at.tenant && !this.referenced.has(name))
        throw new HttpError(409, reason('tenant-secret-exists', { secret: name }), { cause: error })
      this.#replaced.push(before)
      await this.#delete(name, before.metadata.uid)
      await this.#create(secret)
    }
  }

  /** Changes values of a secret in place. @throws KubeError, also a conflict with another change */
  async update(before: SavedKubeObject<Secret>, values: Readonly<Record<string, string>>): Promise<void> {
    const after = await this.kube.update(resources.secrets, { ...before, data: { ...before.data, ...values } })
    this.#updated.push({ before, after })
  }

  /**
   * Undoes all changes after an error, unless it is unknown whether the tenant already refers to the secrets. Secrets that others
   * have changed since stay as they are.
   */
  async undoAfter(error: unknown): Promise<void> {
    if (isUnverifiedChange(error)) return
    await Promise.all(this.#made.map(({ name, uid }) => retryUndo(() => this.#delete(name, uid))))
    const restore = (secret: SavedKubeObject<Secret>) =>
      this.kube.create(resources.secrets, withoutServerFields(secret))
    await Promise.all(this.#replaced.map((secret) => retryUndo(() => restore(secret))))
    const reset = ({ before, after }: SecretUpdate) =>
      this.kube.update(resources.secrets, { ...after, data: before.data ?? {} })
    await Promise.all(this.#updated.map((each) => retryUndo(() => reset(each))))
  }

  async #create(secret: Secret): Promise<void> {
    const { metadata } = await makeVerifiedChange(
      () => this.kube.create(resources.secrets, secret),
      async () => {
        try {
          const found = await this.kube.get(resources.secrets, {
            namespace: this.at.namespace,
            name: secretName(secret),
          })
          return isDeepStrictEqual(found.data ?? {}, secret.data ?? {}) ? found : undefined
        } catch {
          // The other secrets are deleted, because no tenant refers to them.
          return undefined
        }
      },
    )
    this.#made.push({ name: metadata.name, uid: metadata.uid })
  }

  async #delete(name: string, uid: string): Promise<void> {
    await deleteKubeObject(this.kube, resources.secrets, { namespace: this.at.namespace, name }, { uid })
  }
}

const secretName = ({ metadata }: Secret) => metadata?.name ?? ''

/** Returns a stored secret in the form in which it can be created again. */
function withoutServerFields({ metadata, ...secret }: SavedKubeObject<Secret>): Secret {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields: ____, ...kept } = metadata
  return { ...secret, metadata: kept }
}

/** Number of attempts to undo a change, and the pause before the next (ms): without its secrets a tenant does not work. */
const ATTEMPTS = 4
const PAUSE_MS = 250

/** Tries to undo a change while the API server fails; the caller gets the first error. */
async function retryUndo(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      await run()
      return
    } catch (error) {
      if (error instanceof KubeError && error.status < 500) return
    }
    if (attempt < ATTEMPTS) await delay(PAUSE_MS)
  }
}
