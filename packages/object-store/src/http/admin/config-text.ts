import { keysOf } from '../../config/environment.ts'
import { typeName } from '../../config/values.ts'
import { S3Error } from '../../errors.ts'
import type { Call } from '../call.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, readSealedText, requireIdentity, sendSealedText } from './payload.ts'

const actions = ['ConfigUpdate']

/** The configuration as lines of text. All calls need the right to change it, as on MinIO. */
export const configEndpoints: AdminEndpoint[] = [
  {
    name: 'GetConfigKV',
    method: 'GET',
    path: 'get-config-kv',
    query: ['key'],
    actions,
    handle: (call) => sendSealedText(call, call.store.config.text(parameter(call, 'key'))),
  },
  {
    name: 'SetConfigKV',
    method: 'PUT',
    path: 'set-config-kv',
    actions,
    async handle(call) {
      await sendChanged(call, await call.store.config.set(await readSealedText(call), userOf(call)))
    },
  },
  {
    name: 'DelConfigKV',
    method: 'DELETE',
    path: 'del-config-kv',
    actions,
    async handle(call) {
      await sendChanged(call, await call.store.config.delete(await readSealedText(call), userOf(call)))
    },
  },
  {
    name: 'GetConfig',
    method: 'GET',
    path: 'config',
    actions,
    handle: (call) => sendSealedText(call, call.store.config.fullText()),
  },
  {
    name: 'SetConfig',
    method: 'PUT',
    path: 'config',
    actions,
    async handle(call) {
      await sendChanged(call, await call.store.config.setFull(await readSealedText(call), userOf(call)))
    },
  },
  {
    // Only this store has this call. Returns the errors with which SetConfigKV would refuse the text, and changes nothing.
    name: 'CheckConfigKV',
    method: 'PUT',
    path: 'check-config-kv',
    actions,
    handle: async (call) => call.json({ problems: call.store.config.check(await readSealedText(call)) }),
  },
  {
    name: 'HelpConfigKV',
    method: 'GET',
    path: 'help-config-kv',
    query: ['subSys', 'key'],
    actions,
    handle: (call) => call.json(help(call)),
  },
]

/** Answers whether the change has taken effect or needs a restart. Waits until changed event targets are running. */
export async function sendChanged(call: Call, isApplied: boolean): Promise<void> {
  await Promise.all([call.store.events.ready, call.store.logWebhooks?.ready])
  call.empty(200, isApplied ? { 'x-minio-config-applied': 'true' } : {})
}

export function userOf(call: Call): string {
  return requireIdentity(call).user
}

function help(call: Call): object {
  const { config } = call.store
  const name = parameter(call, 'subSys')
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
  const wanted = parameter(call, 'key')
  if (wanted !== '' && !keysOf(subsystem).some((key) => key.name === wanted)) {
    throw new S3Error('XMinioConfigError', `sub-system '${name}' has no key '${wanted.slice(0, 64)}'`)
  }
  const asVariables = call.query.has('env')
  const keysHelp = keysOf(subsystem)
    .filter((key) => wanted === '' || key.name === wanted)
    .map((key) => ({
      key: asVariables ? `MINIO_${name}_${key.name}`.toUpperCase() : key.name,
      type: typeName(key.type),
      description: key.default === '' ? key.help : `${key.help} (default: '${key.default}')`,
      optional: !key.required,
      multipleTargets: subsystem.multipleTargets,
    }))
  const { help: description, multipleTargets } = subsystem
  return { subSys: name, description, multipleTargets, keysHelp }
}
