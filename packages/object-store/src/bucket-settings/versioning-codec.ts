import { compileGlob, type Glob, globMatches } from '@stowage/iam-policy'
import { S3Error } from '../lib/errors.ts'
import { children, parseXml, s3Document, xmlChildText, xmlTag } from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'

export interface VersioningSetting {
  status: 'Enabled' | 'Suspended'
  /**
   * MinIO's extension: objects whose keys have one of these prefixes keep no versions. `*` matches any text and `?` any
   * character.
   */
  excludedPrefixes: readonly string[]
  /** Keys that end with a slash keep no versions. */
  excludeFolders: boolean
}

const MAX_EXCLUDED_PREFIXES = 10
const STATUSES = ['Enabled', 'Suspended'] as const

export const versioningCodec: SettingCodec<VersioningSetting> = {
  read(document) {
    // Written so by versions of this store before exclusions.
    const bare = STATUSES.find((status) => status === document)
    if (bare) return { status: bare, excludedPrefixes: [], excludeFolders: false }
    const root = parseXml(document, 'VersioningConfiguration')
    const status = STATUSES.find((known) => known === xmlChildText(root, 'Status'))
    if (!status) throw invalidVersioning('The Status must be Enabled or Suspended.')
    if (xmlChildText(root, 'MfaDelete') === 'Enabled')
      throw new S3Error('NotImplemented', 'MFA delete is not supported.')
    const excludedPrefixes = children(root, 'ExcludedPrefixes').map((node) => xmlChildText(node, 'Prefix') ?? '')
    const excludeFolders = xmlChildText(root, 'ExcludeFolders')?.trim().toLowerCase() === 'true'
    if (excludedPrefixes.length > MAX_EXCLUDED_PREFIXES) {
      throw invalidVersioning(`At most ${MAX_EXCLUDED_PREFIXES} prefixes can be excluded.`)
    }
    if (excludedPrefixes.includes('')) throw invalidVersioning('An excluded prefix must not be empty.')
    if (status === 'Suspended' && (excludedPrefixes.length > 0 || excludeFolders)) {
      throw invalidVersioning('Prefixes can be excluded only while versioning is enabled.')
    }
    return { status, excludedPrefixes, excludeFolders }
  },
  write({ status, excludedPrefixes, excludeFolders }) {
    const prefixes = excludedPrefixes.map(
      (prefix) => `<ExcludedPrefixes>${xmlTag('Prefix', prefix)}</ExcludedPrefixes>`,
    )
    const folders = excludeFolders ? xmlTag('ExcludeFolders', true) : ''
    return s3Document('VersioningConfiguration', xmlTag('Status', status) + prefixes.join('') + folders)
  },
}

function invalidVersioning(message: string): S3Error {
  return new S3Error('IllegalVersioningConfigurationException', message)
}

/** Returns the versioning of a key: that of the bucket, unless the key is excluded. */
export function effectiveVersioning(
  versioning: VersioningSetting | undefined,
  key: string,
): VersioningSetting['status'] | undefined {
  if (versioning?.status !== 'Enabled') return versioning?.status
  const isExcluded =
    (versioning.excludeFolders && key.endsWith('/')) || excludedGlobs(versioning).some((glob) => globMatches(glob, key))
  return isExcluded ? 'Suspended' : 'Enabled'
}

const compiled = new WeakMap<VersioningSetting, readonly Glob[]>()

/** Returns the excluded prefixes as patterns, which are compiled once for each document. */
function excludedGlobs(versioning: VersioningSetting): readonly Glob[] {
  let globs = compiled.get(versioning)
  if (!globs) {
    globs = versioning.excludedPrefixes.map((prefix) => compileGlob(`${prefix}*`, { questionMark: 'unit' }))
    compiled.set(versioning, globs)
  }
  return globs
}
