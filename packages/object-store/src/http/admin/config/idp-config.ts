import { parseSwitch } from '../../../config/value-types.ts'
import { openIdRoleArn } from '../../../iam/openid/openid-providers.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'
import { type AdminEndpoint, adminEndpoint } from '../endpoint/admin-endpoint.ts'
import { readSealedText, sendSealed } from '../endpoint/payload.ts'
import { callerUser, sendConfigChanged } from './config-endpoints.ts'

/* Calls for the configuration of identity providers and LDAP (`mc idp openid`, `mc idp ldap`); `_` is the default provider. */

const DEFAULT_NAME = '_'

export const adminIdpConfigEndpoints: AdminEndpoint[] = [
  adminEndpoint({
    name: 'ListIdentityProviderCfg',
    method: 'GET',
    path: 'idp-config/{type}',
    async handle(call, { type }) {
      const subsystem = identitySubsystem(type)
      const items = call.store.config.targets(subsystem).map((name) => {
        const values = call.store.config.values(subsystem, name)
        const enabled = isConfigured(call, subsystem, name) && parseSwitch(values.enable ?? '') !== false
        return { type, name, enabled, ...roleMember(subsystem, values) }
      })
      await sendSealed(call, items)
    },
  }),
  adminEndpoint({
    name: 'GetIdentityProviderCfg',
    method: 'GET',
    path: 'idp-config/{type}/{name}',
    async handle(call, { type, name }) {
      const subsystem = identitySubsystem(type)
      const { config } = call.store
      if (!config.targets(subsystem).includes(name)) throw noSuchTarget()
      const info = config.valuesSet(subsystem, name).map(({ key, value, fromEnvironment }) => ({
        key,
        value,
        isCfg: true,
        isEnv: fromEnvironment,
      }))
      const { roleARN } = roleMember(subsystem, config.values(subsystem, name))
      const role = roleARN === undefined ? [] : [{ key: 'roleARN', value: roleARN, isCfg: false, isEnv: false }]
      await sendSealed(call, { type, name, info: [...info, ...role] })
    },
  }),
  adminEndpoint({
    name: 'AddIdentityProviderCfg',
    method: 'PUT',
    path: 'idp-config/{type}/{name}',
    async handle(call, { type, name }) {
      const subsystem = identitySubsystem(type)
      if (isConfigured(call, subsystem, name)) {
        const message = 'There is a configuration of this name; update it instead.'
        throw new S3Error('XMinioAdminConfigIDPCfgNameAlreadyExists', message)
      }
      await changeProvider(call, subsystem, name)
    },
  }),
  adminEndpoint({
    name: 'UpdateIdentityProviderCfg',
    method: 'POST',
    path: 'idp-config/{type}/{name}',
    async handle(call, { type, name }) {
      const subsystem = identitySubsystem(type)
      if (!isConfigured(call, subsystem, name)) {
        throw new S3Error('XMinioAdminConfigIDPCfgNameDoesNotExist', 'No such IDP configuration exists')
      }
      await changeProvider(call, subsystem, name)
    },
  }),
  adminEndpoint({
    name: 'DeleteIdentityProviderCfg',
    method: 'DELETE',
    path: 'idp-config/{type}/{name}',
    async handle(call, { type, name }) {
      const subsystem = identitySubsystem(type)
      const { config } = call.store
      const set = isConfigured(call, subsystem, name) ? config.valuesSet(subsystem, name) : []
      if (set.length === 0) throw noSuchTarget()
      if (set.some(({ fromEnvironment }) => fromEnvironment)) {
        const message = 'Variables of the environment set this configuration; it ends with them.'
        throw new S3Error('XMinioAdminConfigEnvOverridden', message)
      }
      await sendConfigChanged(call, await config.delete(`${subsystem}:${name}`, callerUser(call)))
    },
  }),
]

/** Changes one provider. The body has its `key=value` pairs. */
async function changeProvider(call: StoreCall, subsystem: string, name: string): Promise<void> {
  if (subsystem === 'identity_ldap' && name !== DEFAULT_NAME) {
    const message = 'There is one directory only; its configuration has the name "_".'
    throw new S3Error('XMinioAdminConfigLDAPNonDefaultConfigName', message)
  }
  const text = (await readSealedText(call)).trim()
  // A second line could change another subsystem, and a name that ends early could set keys of another provider.
  if (/\s/.test(name)) throw new S3Error('XMinioConfigError', 'The name must not contain blanks or line breaks.')
  if (/[\r\n]/.test(text)) throw new S3Error('XMinioConfigError', 'The configuration must be one line.')
  await sendConfigChanged(call, await call.store.config.set(`${subsystem}:${name} ${text}`, callerUser(call)))
}

function identitySubsystem(type: string): string {
  if (type === 'openid' || type === 'ldap') return `identity_${type}`
  throw new S3Error('XMinioAdminConfigInvalidIDPType', 'The type of an identity provider is openid or ldap.')
}

function isConfigured({ store: { config } }: StoreCall, subsystem: string, name: string): boolean {
  return config.targets(subsystem).includes(name) && config.valuesSet(subsystem, name).length > 0
}

function roleMember(subsystem: string, values: Readonly<Record<string, string>>): { roleARN?: string } {
  const { role_policy, client_id } = values
  return subsystem === 'identity_openid' && role_policy && client_id ? { roleARN: openIdRoleArn(client_id) } : {}
}

function noSuchTarget(): S3Error {
  return new S3Error('XMinioAdminNoSuchConfigTarget', 'No such named configuration target exists')
}
