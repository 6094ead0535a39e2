import type { StreamGap } from '../../lib/api/live-stream.ts'
import { plural, t } from '../../lib/text/i18n.ts'

/** Explains a gap in a stream. */
export function gapText({ kind, count }: StreamGap): string {
  if (kind === 'lost') return t(plural('{{count}} record was lost', '{{count}} records were lost'), { count })
  const seconds = Math.max(1, Math.round(count / 1000))
  return t(
    plural(
      'The connection to the storage server was broken for {{count}} second. Records of that time are missing.',
      'The connection to the storage server was broken for {{count}} seconds. Records of that time are missing.',
    ),
    { count: seconds },
  )
}
