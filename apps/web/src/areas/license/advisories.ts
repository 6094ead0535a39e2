/** The date when the table was last compared with the published advisories. */
export const ADVISORIES_DATE = '2026-11-22'

export interface Advisory {
  id: string
  /** A technical description, so not translated. */
  subject: string
  /** The first release that has the fix, as `YYYY-MM-DDTHH-MM-SSZ`. */
  fixed: string
  /** The day on which the vulnerability was introduced, if known. */
  since?: string
}

/** Advisories for the MinIO server, newest first. Sources: nvd.nist.gov, github.com/minio/minio/security/advisories */
export const ADVISORIES: readonly Advisory[] = [
  { id: 'CVE-2025-62506', subject: 'Privilege escalation by session policies', fixed: '2025-10-15T17-29-55Z' },
  {
    id: 'CVE-2024-55949',
    subject: 'Privilege escalation in the IAM import API',
    fixed: '2024-12-13T22-19-12Z',
    since: '2022-06-23',
  },
  { id: 'CVE-2024-24747', subject: 'Privilege escalation by access keys', fixed: '2024-01-31T20-20-33Z' },
  { id: 'CVE-2023-28434', subject: 'Privilege escalation by crafted form uploads', fixed: '2023-03-20T20-16-18Z' },
  { id: 'CVE-2023-28432', subject: 'Environment variables disclosed by a cluster', fixed: '2023-03-20T20-16-18Z' },
  { id: 'CVE-2021-43858', subject: 'Privilege escalation by the user API', fixed: '2021-12-27T07-23-18Z' },
]

/** Returns the release date of a reported version: `2025-10-15T17-29-55Z`; undefined if it contains no date. */
function releaseDate(version: string): string | undefined {
  const [, day, time] = /(\d{4}-\d\d-\d\d)T(\d\d[:-]\d\d[:-]\d\d)Z/.exec(version) ?? []
  return day && time ? `${day}T${time.replaceAll(':', '-')}Z` : undefined
}

/** Whether a version is one of MinIO, or of SILO, which numbers its releases in the same way. */
export const isMinioRelease = (version: string): boolean => releaseDate(version) !== undefined

/**
 * Returns the advisories that affect a version; undefined if it is not a MinIO version.
 * @param version `2021-11-09T03:21:45Z`, or `RELEASE.2021-11-09T03-21-45Z`
 */
export function advisoriesFor(version: string): Advisory[] | undefined {
  const release = releaseDate(version)
  if (release === undefined) return undefined
  return ADVISORIES.filter(({ fixed, since = '' }) => release < fixed && release >= since)
}
