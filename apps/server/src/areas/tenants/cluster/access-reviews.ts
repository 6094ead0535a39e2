import { hash } from 'node:crypto'
import type { Kube, KubeAccessRequest, KubeAccessReview } from '@stowage/kube'
import { LRUCache } from 'lru-cache'

/** How long the answer of an access review is cached (ms). */
const RIGHTS_MS = 30_000
/** Maximum number of cached answers. */
const RIGHTS = 10_000

/** The answers of access reviews, each for one token. */
export class AccessReviews {
  readonly #verdicts = new LRUCache<string, Promise<KubeAccessReview>>({ max: RIGHTS, ttl: RIGHTS_MS, perf: Date })

  /** @param token of the caller of `kube` */
  review(kube: Pick<Kube, 'can'>, token: string, action: KubeAccessRequest): Promise<KubeAccessReview> {
    const key = hash('sha256', JSON.stringify([token, action]))
    const known = this.#verdicts.get(key)
    if (known) return known
    const verdict = kube.can(action)
    this.#verdicts.set(key, verdict)
    verdict.catch(() => this.#verdicts.delete(key))
    return verdict
  }
}
