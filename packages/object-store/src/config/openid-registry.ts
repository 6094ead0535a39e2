import { COMMENT_KEY, type ConfigSubsystem } from './config-key.ts'

export const OPENID_SUBSYSTEM: ConfigSubsystem = {
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
    {
      name: 'client_secret',
      type: 'string',
      help: 'secret of this server at the provider, for the sign-in page',
      default: '',
      secret: true,
    },
    {
      name: 'redirect_uri',
      type: 'url',
      help: '"/oauth_callback" of the console, as the provider knows it; empty: the sign-in page does not offer this provider',
      default: '',
    },
    {
      name: 'scopes',
      type: 'csv',
      help: 'what the sign-in page asks the provider for, separated by commas',
      default: 'openid,profile,email',
    },
    { name: 'display_name', type: 'string', help: 'name of the provider on the sign-in page', default: '' },
    { name: 'claim_name', type: 'string', help: 'claim of the ID token that names policies', default: 'policy' },
    { name: 'claim_prefix', type: 'string', help: 'text before the name of the claim', default: '' },
    {
      name: 'role_policy',
      type: 'csv',
      help: 'policies of all users of this provider, separated by commas; empty: the claim names them',
      default: '',
    },
    COMMENT_KEY,
  ],
}
