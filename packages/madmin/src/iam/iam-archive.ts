import { asList, asObject, asText, pickMember } from '../transport/json-values.ts'
import { MadminError } from '../transport/madmin-error.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** An entry that the server could not import: a name and the reason. */
export interface IamImportFailure {
  /** The server's name of the kind: `users`, `serviceAccounts` … */
  readonly kind: string
  readonly name: string
  readonly error: string
}

/**
 * Exports users, groups, policies and service accounts as a zip archive, with secret keys in plain text. Supported since 2022.
 * Needs `admin:ExportIAM`.
 * @throws MadminError AccessDenied, XMinioAdminVersionMismatch
 */
export async function exportIam(t: Transport, options?: AdminCallOptions): Promise<Buffer> {
  return await t.bytes({ method: 'GET', path: 'export-iam', ...options })
}

/**
 * Imports such an archive, replacing existing entries. Needs `admin:ImportIAM`.
 * @returns the entries that the server did not import; empty for servers before September 2024
 * @throws MadminError AccessDenied, InvalidRequest (not such an archive)
 */
export async function importIam(
  t: Transport,
  archive: Buffer,
  options?: AdminCallOptions,
): Promise<IamImportFailure[]> {
  const call = { method: 'PUT', bytes: archive, ...options } as const
  try {
    return readImportFailures(await t.call({ ...call, path: 'import-iam-v2' }))
  } catch (error) {
    if (!(error instanceof MadminError) || !error.unsupported) throw error
    await t.call({ ...call, path: 'import-iam' })
    return []
  }
}

function readImportFailures(answer: unknown): IamImportFailure[] {
  return Object.entries(asObject(pickMember(answer, 'failed') ?? {})).flatMap(([kind, failures]) =>
    asList(failures).map((failure) => ({
      kind,
      name: asText(pickMember(failure, 'name', 'accessKey')),
      error: asText(pickMember(failure, 'message', 'error', 'err')),
    })),
  )
}
