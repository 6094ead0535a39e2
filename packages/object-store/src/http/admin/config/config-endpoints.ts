import { subsystemKeys } from '../../../config/environment-values.ts'
import { valueTypeName } from '../../../config/value-types.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readSealedText, requireIdentity, sendSealedText } from '../endpoint/payload.ts'

/** The configuration as lines of text. All calls need the right to change it, as on MinIO. */
export const adminConfigEndpoints: AdminEndpoint[] = [
  {
    name: 'GetConfigKV',
    method: 'GET',
    path: 'get-config-kv',
    query: ['key'],
    handle: (call) => sendSealedText(call, call.store.config.text(queryParameter(call, 'key'))),
  },
  {
    name: 'SetConfigKV',
    method: 'PUT',
    path: 'set-config-kv',
    async handle(call) {
      await sendConfigChanged(call, await call.store.config.set(await readSealedText(call), callerUser(call)))
    },
  },
  {
    name: 'DelConfigKV',
    method: 'DELETE',
    path: 'del-config-kv',
    async handle(call) {
      await sendConfigChanged(call, await call.store.config.delete(await readSealedText(call), callerUser(call)))
    },
  },
  {
    name: 'GetConfig',
    method: 'GET',
    path: 'config',
    handle: (call) => sendSealedText(call, call.store.config.fullText()),
  },
  {
    name: 'SetConfig',
    method: 'PUT',
    path: 'config',
    async handle(call) {
      await sendConfigChanged(call, await call.store.config.setFull(await readSealedText(call), callerUser(call)))
    },
  },
  {
    // Only this store has this call. Returns the errors with which SetConfigKV would refuse the text, and changes nothing.
    name: 'CheckConfigKV',
    method: 'PUT',
    path: 'check-config-kv',
    handle: async (call) => call.json({ problems: call.store.config.check(await readSealedText(call)) }),
  },
  {
    name: 'HelpConfigKV',
    method: 'GET',
    path: 'help-config-kv',
    query: ['subSys', 'key'],
    handle: (call) => call.json(configHelp(call)),
  },
]

/** Answers whether the change has taken effect or needs a restart. Waits until changed event targets are running. */
export async function sendConfigChanged(call: StoreCall, isApplied: boolean): Promise<void> {
  await Promise.all([call.store.events.ready, call.store.logWebhooks?.ready])
  call.empty(200, isApplied ? { 'x-minio-config-applied': 'true' } : {})
}

export function callerUser(call: StoreCall): string {
  return requireIdentity(call).user
}

function configHelp(call: StoreCall): object {
  const { config } = call.store
  const name = queryParameter(call, 'subSys')
  if (name === '') {
    const keysHelp = config.subsystems.map((subsystem) => ({
      key: subsystem.name,
      type: '',
      description: subsystem.help,
      optional: false,
      multipleTargets: subsystem.multipleTargets,
    }))
    return { subSys: '', description: '', multipleTargets: false, keysHelp }
  }
  const subsystem = config.subsystem(name)
  const wanted = queryParameter(call, 'key')
  if (wanted !== '' && !subsystemKeys(subsystem).some((key) => key.name === wanted)) {
    throw new S3Error('XMinioConfigError', `sub-system '${name}' has no key '${wanted.slice(0, 64)}'`)
  }
  const asVariables = call.query.has('env')
  const keysHelp = subsystemKeys(subsystem)
    .filter((key) => wanted === '' || key.name === wanted)
    .map((key) => ({
      key: asVariables ? `MINIO_${name}_${key.name}`.toUpperCase() : key.name,
      type: valueTypeName(key.type),
      description: key.default === '' ? key.help : `${key.help} (default: '${key.default}')`,
      optional: !key.required,
      multipleTargets: subsystem.multipleTargets,
    }))
  const { help: description, multipleTargets } = subsystem
  return { subSys: name, description, multipleTargets, keysHelp }
}
