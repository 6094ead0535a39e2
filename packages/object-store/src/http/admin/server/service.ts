import type { AdminActionName } from '@stowage/iam-policy'
import { S3Error } from '../../../lib/errors.ts'
import { requireAction } from '../../auth/authorize.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter } from '../endpoint/payload.ts'

// A map, because an object would also have an entry for `constructor`.
const SERVICE_ACTIONS: ReadonlyMap<string, AdminActionName> = new Map([
  ['restart', 'admin:ServiceRestart'],
  ['stop', 'admin:ServiceStop'],
  ['freeze', 'admin:ServiceFreeze'],
  ['unfreeze', 'admin:ServiceFreeze'],
])

/** Restarts or stops the store through its parent process, after the answer is sent. */
export const serviceEndpoint: AdminEndpoint = {
  name: 'Service',
  method: 'POST',
  path: 'service',
  query: ['action'],
  handle(call) {
    const action = queryParameter(call, 'action')
    const right = SERVICE_ACTIONS.get(action)
    if (right === undefined) throw new S3Error('MalformedPOSTRequest', `Unknown service action ${action}.`)
    requireAction(call, right, {})
    if (action !== 'restart' && action !== 'stop') {
      throw new S3Error('NotImplemented', 'The store cannot be frozen.')
    }
    const dryRun = queryParameter(call, 'dry-run') === 'true'
    if (!dryRun) call.response.once('close', () => call.store.control(action))
    if (queryParameter(call, 'type') !== '2') return call.empty(200)
    call.json({ action, dryRun, results: [{ host: call.header('host') ?? '' }] })
  },
}
