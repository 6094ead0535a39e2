import { expect, test } from 'vitest'
import { REDACTED, redactHeaders, redactJson, redactQuery, redactText, redactUrl } from './redact.ts'

const S = 'Zm9vYmFyc2VjcmV0'

test.each([
  `AWS4-HMAC-SHA256 Credential=AKIA/${S}, SignedHeaders=host, Signature=${S}`,
  `GET /b/k?X-Amz-Signature=${S}&X-Amz-Security-Token=${S}&x=1`,
  `"{\\"header\\":{\\"Authorization\\":[\\"AWS4 ${S}\\"],\\"X-Amz-Security-Token\\":[\\"${S}\\"]}}"`,
  `{"X-Amz-Server-Side-Encryption-Customer-Key":"${S}"}`,
  `Authorization: Bearer ${S}==`,
  `Action=AssumeRoleWithLDAPIdentity&LDAPUsername=joe&LDAPPassword=${S}`,
])('a secret in a text is redacted: %s', (text) => expect(redactText(text)).not.toContain(S))

test.each(['x', 'Cookie', 'Signature', 'Bearer ', 'x-amz-security-token'])(
  'megabytes of "%s" are read in linear time',
  (piece) => {
    expect(redactText(piece.repeat(2 ** 21 / piece.length))).not.toBe('')
  },
  2_000,
)

test('secret headers and fields in JSON are redacted, others are kept', () => {
  const value = {
    requestHeader: {
      Authorization: S,
      cookie: S,
      'X-Amz-Date': '20261122',
      'X-Amz-Server-Side-Encryption-Customer-Key': S,
    },
    requestQuery: { 'X-Amz-Signature': S, prefix: 'a', WebIdentityToken: S },
    list: [{ 'X-Amz-Security-Token': [S] }, `x-amz-security-token=${S}`],
  }
  const text = JSON.stringify(redactJson(value))
  expect(text).not.toContain(S)
  expect(text).toContain('20261122')
  expect(text).toContain('"prefix":"a"')
})

test.each([
  [`X-Amz-Signature=${S}&a=b`, 'X-Amz-Signature=*REDACTED*&a=b'],
  [`%58-amz-signature=${S}`, '%58-amz-signature=*REDACTED*'],
  [`Token=${S}`, 'Token=*REDACTED*'],
  ['list-type=2&prefix=token', 'list-type=2&prefix=token'],
])('the query %s becomes %s', (query, expected) => {
  expect(redactQuery(query)).toBe(expected)
  expect(redactUrl(`/b?${query}`)).toBe(`/b?${expected}`)
})

test('values of secret headers are redacted, whatever the case of their names', () => {
  const link = 'https://h/b/k?X-Amz-Signature='
  expect(
    redactHeaders<string | string[]>({ AUTHORIZATION: [S], 'Set-Cookie': [S], Host: ['h'], Referer: `${link}${S}` }),
  ).toEqual({
    AUTHORIZATION: ['*REDACTED*'],
    'Set-Cookie': ['*REDACTED*'],
    Host: ['h'],
    Referer: `${link}*REDACTED*`,
  })
})

test('the header by which a console proves its identity to its store is a secret', () => {
  const headers = redactHeaders({ 'X-Stowage-Console': ['secret'], 'X-Stowage-Other': ['kept'] })
  expect(headers).toEqual({ 'X-Stowage-Console': [REDACTED], 'X-Stowage-Other': ['kept'] })
})
