import { asList, asObject, asText, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** `freeze` delays S3 calls until `unfreeze`; both since 2022. */
export type ServiceAction = 'restart' | 'stop' | 'freeze' | 'unfreeze'

export interface ServiceResult {
  readonly host: string
  /** Why the host did not act. */
  readonly error?: string
  /** Drives that the host waits for, by path. */
  readonly waitingDrives: readonly string[]
}

/**
 * Restarts, stops, freezes or unfreezes all servers of a deployment. The answer comes before a restart begins: poll
 * `isReady` to see its end. Needs `admin:ServiceRestart`, `ServiceStop` or `ServiceFreeze`.
 * @param options.dryRun only asks whether every host would act; an error on servers before January 2024, which would
 *   act
 * @returns the result of each host; empty if the server does not report it
 * @throws MadminError AccessDenied, MalformedPOSTRequest, XMinioAdminVersionMismatch (dry run on an old server)
 */
export async function service(
  t: Transport,
  action: ServiceAction,
  options: AdminCallOptions & { dryRun?: boolean } = {},
): Promise<ServiceResult[]> {
  const { dryRun = false, ...rest } = options
  const query = { action, type: '2', ...(dryRun && { 'dry-run': 'true' }) }
  const answer = await t.call({ method: 'POST', path: 'service', query, ...rest })
  return asList(pickMember(answer, 'results')).map((result) => {
    const error = asText(pickMember(result, 'err'))
    const drives = Object.keys(asObject(pickMember(result, 'waitingDrives')))
    return { host: asText(pickMember(result, 'host')), ...(error && { error }), waitingDrives: drives }
  })
}
