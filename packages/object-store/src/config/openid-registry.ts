import { COMMENT, type Subsystem } from './config-key.ts'

export const OPENID_REGISTRY: Subsystem = {
  name: 'identity_openid',
  help: 'identity providers (OpenID) whose users can sign in',
  multipleTargets: true,
  onByDefault: true,
  dynamic: true,
  keys: [
    {
      name: 'config_url',
      type: 'url',
      help: 'address of the discovery document, such as "https://id.example.com/.well-known/openid-configuration"',
      default: '',
      required: true,
    },
    {
      name: 'client_id',
      type: 'string',
      help: 'name of this server at the provider; ID tokens must be made for it',
      default: '',
      required: true,
    },
    { name: 'claim_name', type: 'string', help: 'claim of the ID token that names policies', default: 'policy' },
    { name: 'claim_prefix', type: 'string', help: 'text before the name of the claim', default: '' },
    {
      name: 'role_policy',
      type: 'csv',
      help: 'policies of all users of this provider, separated by commas; empty: the claim names them',
      default: '',
    },
    COMMENT,
  ],
}
