import { expect, test } from 'vitest'
import { readSsoProviders } from './sso-providers.ts'

const main = {
  CONSOLE_IDP_URL: 'https://id.example/realms/main',
  CONSOLE_IDP_CLIENT_ID: 'stowage',
  CONSOLE_IDP_SECRET: 'secret',
  CONSOLE_IDP_CALLBACK: 'https://console.example/oauth_callback',
}

test('one provider with the variable names of the original, and its defaults', () => {
  expect(readSsoProviders(main)).toEqual([
    {
      id: 'main',
      displayName: 'id.example',
      url: new URL('https://id.example/realms/main'),
      clientId: 'stowage',
      clientSecret: 'secret',
      callback: 'https://console.example/oauth_callback',
      scopes: 'openid profile email',
      seconds: 3600,
      roleArn: undefined,
      endSession: undefined,
    },
  ])
})

test('further providers have a suffix, and settings of their own', () => {
  const providers = readSsoProviders({
    ...main,
    CONSOLE_IDP_URL_KEYCLOAK: 'https://keycloak.example',
    CONSOLE_IDP_CLIENT_ID_KEYCLOAK: 'other',
    CONSOLE_IDP_CALLBACK_KEYCLOAK: main.CONSOLE_IDP_CALLBACK,
    CONSOLE_IDP_DISPLAY_NAME_KEYCLOAK: 'Keycloak',
    CONSOLE_IDP_SCOPES_KEYCLOAK: 'groups, openid',
    CONSOLE_IDP_ROLE_ARN_KEYCLOAK: 'arn:minio:iam:::role/x',
    CONSOLE_IDP_TOKEN_EXPIRATION_KEYCLOAK: '7200',
  })
  expect(providers.map(({ id }) => id)).toEqual(['main', 'keycloak'])
  expect(providers[1]).toMatchObject({
    displayName: 'Keycloak',
    clientSecret: '',
    scopes: 'openid groups',
    seconds: 7200,
    roleArn: 'arn:minio:iam:::role/x',
  })
})

test.each([
  ['on', 'discovered'],
  ['https://id.example/logout', new URL('https://id.example/logout')],
  ['javascript:alert(1)', undefined],
  ['off', undefined],
])('the end of a session at the provider, given as %s', (text, endSession) => {
  const [provider] = readSsoProviders({ ...main, CONSOLE_IDP_END_SESSION_ENDPOINT: text })
  expect(provider?.endSession).toEqual(endSession)
})

test.each(['CONSOLE_IDP_URL', 'CONSOLE_IDP_CLIENT_ID', 'CONSOLE_IDP_CALLBACK'])('without %s there is none', (name) => {
  expect(readSsoProviders({ ...main, [name]: '' })).toEqual([])
})
