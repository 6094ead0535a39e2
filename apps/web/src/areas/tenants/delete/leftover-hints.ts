import type { Leftovers } from '@stowage/contract'
import { formatSize } from '../../../lib/text/format.ts'
import { plural, type Translate } from '../../../lib/text/i18n.ts'

/** Says what is lost with the volumes of a tenant. */
export function volumesHint(t: Translate, { volumes }: Leftovers): string {
  const size = formatSize(volumes.reduce((sum, each) => sum + each.size, 0))
  return t(
    plural(
      '{{count}} volume of {{size}} in all. The data cannot be recovered.',
      '{{count}} volumes of {{size}} in all. The data cannot be recovered.',
    ),
    { count: volumes.length, size },
  )
}

/** Says what is lost with the secrets of a tenant. */
export function secretsHint(t: Translate, { secrets }: Leftovers): string {
  return t(
    plural(
      '{{count}} secret. Without it the volumes cannot be used again.',
      '{{count}} secrets. Without them the volumes cannot be used again.',
    ),
    { count: secrets.length },
  )
}
