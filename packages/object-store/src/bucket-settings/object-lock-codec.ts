import { S3Error } from '../lib/errors.ts'
import { parseXml, s3Document, xmlChild, xmlChildText, xmlTag } from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'

export type RetentionMode = 'GOVERNANCE' | 'COMPLIANCE'

/** Object lock of a bucket that was made with it. */
export interface ObjectLockSetting {
  /** Retention of new versions that request none. */
  defaultRetention?: { mode: RetentionMode; unit: 'Days' | 'Years'; count: number }
}

const MAX_COUNT = { Days: 36_500, Years: 100 }

export const objectLockCodec: SettingCodec<ObjectLockSetting> = {
  read(document) {
    const root = parseXml(document, 'ObjectLockConfiguration')
    if (xmlChildText(root, 'ObjectLockEnabled') !== 'Enabled') {
      throw new S3Error('MalformedXML', 'ObjectLockEnabled must be Enabled.')
    }
    const rule = xmlChild(root, 'Rule')
    if (rule === undefined) return {}
    const retention = xmlChild(rule, 'DefaultRetention')
    const mode = parseRetentionMode(xmlChildText(retention, 'Mode') ?? '')
    if (!mode) throw invalid('The mode of a default retention must be GOVERNANCE or COMPLIANCE.')
    const units = (['Days', 'Years'] as const).filter((unit) => xmlChild(retention, unit) !== undefined)
    const [unit] = units
    if (!unit || units.length > 1) throw invalid('A default retention needs either Days or Years.')
    const text = xmlChildText(retention, unit)?.trim() ?? ''
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (count < 1 || count > MAX_COUNT[unit]) {
      throw invalid(`The ${unit} of a default retention must be between 1 and ${MAX_COUNT[unit]}.`)
    }
    return { defaultRetention: { mode, unit, count } }
  },
  write({ defaultRetention }) {
    const enabled = xmlTag('ObjectLockEnabled', 'Enabled')
    if (!defaultRetention) return s3Document('ObjectLockConfiguration', enabled)
    const { mode, unit, count } = defaultRetention
    const retention = `<DefaultRetention>${xmlTag('Mode', mode)}${xmlTag(unit, count)}</DefaultRetention>`
    return s3Document('ObjectLockConfiguration', `${enabled}<Rule>${retention}</Rule>`)
  },
}

export function parseRetentionMode(text: string): RetentionMode | undefined {
  return text === 'GOVERNANCE' || text === 'COMPLIANCE' ? text : undefined
}

/** Returns the end of the retention of a version written now (ms since 1970). */
export function retainUntil({ unit, count }: NonNullable<ObjectLockSetting['defaultRetention']>, now: number): number {
  const until = new Date(now)
  if (unit === 'Days') until.setUTCDate(until.getUTCDate() + count)
  else until.setUTCFullYear(until.getUTCFullYear() + count)
  return until.getTime()
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', message)
}
