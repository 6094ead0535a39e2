import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { readAuthorization, verifyRequest } from '@stowage/sigv4'
import { afterEach, describe, expect, test } from 'vitest'
import { createMadmin } from '../madmin.ts'
import { openAdminBody, sealAdminBody } from '../sealing/sealing.ts'
import { assumeRole } from '../sts/sts.ts'
import { AnswerCache } from './known-answers.ts'

const credentials = { accessKey: 'alice', secretKey: 'a-secret-of-alice', sessionToken: 'token' }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Received {
  method: string
  /** With its query. */
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A server with the given answers, which records its requests. */
async function serve(answer: (request: Received, response: ServerResponse, count: number) => unknown) {
  const received: Received[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request
    const got = { method, path, headers, body: await buffer(request) }
    received.push(got)
    await answer(got, response, received.length)
  }
  const server = createServer((request, response) => void handle(request, response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A server that listens on TCP has one.
  const connection = { endpoint: `http://127.0.0.1:${port}`, retry: { unitMs: 0 } }
  return { received, connection, madmin: createMadmin({ ...connection, credentials }) }
}

function verifiedAuthorization({ method, path, headers }: Received) {
  const [rawPath = '', query = ''] = path.split(/\?(.*)/s)
  const request = { method, path: rawPath, query, headers }
  const authorization = readAuthorization(request)
  if (!authorization) throw new Error('not signed')
  verifyRequest(request, authorization, credentials.secretKey)
  return authorization
}

describe('a list of users that another caller has read', () => {
  const bob = JSON.stringify({ bob: { status: 'enabled' } })
  const eve = JSON.stringify({ eve: { status: 'enabled' } })
  const createClients = async (answer: Parameters<typeof serve>[0]) => {
    const { received, connection } = await serve(answer)
    const known = new AnswerCache()
    return { received, alice: createMadmin({ ...connection, credentials, known }), known, connection }
  }

  test('is the same object as long as the text is the same, sealed or not', async () => {
    const texts = [bob, bob, eve]
    const { alice, known, connection } = await createClients(async (request, response, count) => {
      const secretKey = request.headers.authorization?.includes('Credential=alice/')
        ? 'a-secret-of-alice'
        : 'other-secret'
      response.end(await sealAdminBody(texts[count - 1] ?? '', secretKey))
    })
    const other = createMadmin({ ...connection, credentials: { accessKey: 'carl', secretKey: 'other-secret' }, known })
    const first = await alice.listUsers()
    expect(await other.listUsers()).toBe(first)
    expect((await alice.listUsers()).map(({ accessKey }) => accessKey)).toEqual(['eve'])
  })

  test('is not sent again by a server that sends an ETag', async () => {
    const { received, alice } = await createClients((request, response, count) => {
      const etag = count < 3 ? '"one"' : '"two"'
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
      else response.writeHead(200, { etag }).end(etag === '"one"' ? bob : eve)
    })
    const first = await alice.listUsers()
    expect(await alice.listUsers()).toBe(first)
    expect((await alice.listUsers()).map(({ accessKey }) => accessKey)).toEqual(['eve'])
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"', '"one"'])
  })

  test('is refused to a caller whom the server refuses it, and a 304 that was not asked for is an error', async () => {
    const { alice } = await createClients((_request, response, count) => {
      if (count === 1) response.writeHead(200, { etag: '"one"' }).end(bob)
      else response.writeHead(403).end('{"Code":"AccessDenied","Message":"no"}')
    })
    await alice.listUsers()
    await expect(alice.listUsers()).rejects.toMatchObject({ code: 'AccessDenied' })
    const { alice: first } = await createClients((_request, response) => response.writeHead(304).end())
    await expect(first.listUsers()).rejects.toMatchObject({ status: 304 })
  })

  test('is that of the ETag which was sent, even if another caller has read a later one meanwhile', async () => {
    const later = new EventEmitter()
    const { received, alice } = await createClients(async (_request, response, count) => {
      if (count === 2) await once(later, 'read')
      if (count === 2) response.writeHead(304).end()
      else response.writeHead(200, { etag: `"${count}"` }).end(count === 1 ? bob : eve)
    })
    const first = await alice.listUsers()
    const slow = alice.listUsers()
    await expect.poll(() => received.length).toBe(2)
    expect((await alice.listUsers())[0]?.accessKey).toBe('eve')
    later.emit('read')
    expect(await slow).toBe(first)
  })
})

describe('a call', () => {
  test('is signed for s3 and no region, with the token, and its body is sealed with the secret', async () => {
    const { received, madmin } = await serve((_request, response) => response.end())
    await madmin.addUser('bob & co', { secretKey: 'bobs-secret' })
    const [request] = received
    if (!request) throw new Error('nothing came')
    expect(request).toMatchObject({ method: 'PUT', path: '/minio/admin/v3/add-user?accessKey=bob%20%26%20co' })
    expect(verifiedAuthorization(request)).toMatchObject({
      accessKey: 'alice',
      sessionToken: 'token',
      scope: { region: '', service: 's3' },
    })
    const body = JSON.parse((await openAdminBody(request.body, credentials.secretKey)).toString())
    expect(body).toEqual({ secretKey: 'bobs-secret', status: 'enabled' })
  })

  test('reads sealed and unsealed answers', async () => {
    const users = JSON.stringify({ bob: { status: 'enabled', policyName: 'a, b', memberOf: null } })
    const { madmin } = await serve(async (_request, response, count) =>
      response.end(
        count === 1 ? await sealAdminBody(users, credentials.secretKey, { algorithm: 'argon2id-aes256gcm' }) : users,
      ),
    )
    const bob = { accessKey: 'bob', status: 'enabled', policies: ['a', 'b'], memberOf: [], updatedAt: undefined }
    expect(await madmin.listUsers()).toEqual([bob])
    expect(await madmin.listUsers()).toEqual([bob])
  })

  test('reports the code of an error, and keeps an unknown one', async () => {
    const { madmin } = await serve((_request, response, count) =>
      count === 1
        ? response.writeHead(404).end('{"Code":"XMinioAdminNoSuchUser","Message":"no such user","RequestId":"7"}')
        : response.writeHead(418).end('<Error><Code>Teapot</Code><Message>short</Message></Error>'),
    )
    await expect(madmin.getUser('bob')).rejects.toMatchObject({
      name: 'MadminError',
      code: 'XMinioAdminNoSuchUser',
      status: 404,
      requestId: '7',
    })
    await expect(madmin.getUser('bob')).rejects.toMatchObject({ code: 'Unknown', rawCode: 'Teapot', status: 418 })
  })

  test('reports that a server does not have the call, even without an error body', async () => {
    const { madmin } = await serve((_request, response) => response.writeHead(426).end())
    await expect(madmin.attachPolicies({ user: 'bob', policies: ['p'] })).rejects.toMatchObject({
      code: 'XMinioAdminVersionMismatch',
      unsupported: true,
    })
  })

  test('reports that the answer does not come from a storage server', async () => {
    const { madmin } = await serve((_request, response) => response.end('<html>hello</html>'))
    await expect(madmin.accountInfo()).rejects.toMatchObject({ name: 'MadminError', code: 'Unknown', status: 200 })
  })

  test.each([
    [200, 64],
    [500, 1],
  ])('does not buffer an endless answer: status %i, %i MiB', async (status, longest) => {
    let sent = 0
    const { madmin } = await serve((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(2 ** 20, ' '))) sent++
      }
      response.writeHead(status).on('drain', more)
      more()
    })
    await expect(madmin.accountInfo()).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
    // Bytes in transit count as sent.
    expect(sent).toBeLessThan(longest + 32)
  })

  test('aborts with its signal', async () => {
    const ended = new AbortController()
    const { madmin } = await serve(() => ended.abort())
    await expect(madmin.serverInfo({ signal: ended.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('fails if the server does not answer in time', async () => {
    const { connection } = await serve(() => {})
    const madmin = createMadmin({ ...connection, credentials, timeoutMs: 50, retry: { attempts: 1 } })
    await expect(madmin.serverInfo()).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  })
})

describe('repeating', () => {
  test('a call that may be applied twice is repeated while the server is busy or breaks the connection', async () => {
    const { received, madmin } = await serve((_request, response, count) => {
      if (count === 1) return response.writeHead(503).end()
      if (count === 2) return response.destroy()
      return response.end('[]')
    })
    expect(await madmin.listGroups()).toEqual([])
    expect(received).toHaveLength(3)
  })

  test('it fails after four attempts with the error of the server', async () => {
    const { received, madmin } = await serve((_request, response) =>
      response.writeHead(503).end('{"Code":"XMinioServerNotInitialized","Message":"wait"}'),
    )
    await expect(madmin.listGroups()).rejects.toMatchObject({ code: 'XMinioServerNotInitialized' })
    expect(received).toHaveLength(4)
  })

  test.each([
    ['attachPolicies', (m: ReturnType<typeof createMadmin>) => m.attachPolicies({ user: 'bob', policies: ['p'] })],
    ['addServiceAccount', (m: ReturnType<typeof createMadmin>) => m.addServiceAccount()],
    ['service', (m: ReturnType<typeof createMadmin>) => m.service('restart')],
  ])('%s is sent once', async (_name, call) => {
    const { received, madmin } = await serve((_request, response) => response.writeHead(503).end())
    await expect(call(madmin)).rejects.toMatchObject({ code: 'SlowDown' })
    expect(received).toHaveLength(1)
  })
})

describe('service accounts', () => {
  const embedded = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'] }] }

  async function updated(
    impliedPolicy: boolean,
    update: Parameters<ReturnType<typeof createMadmin>['updateServiceAccount']>[1],
  ) {
    const { received, madmin } = await serve(({ method }, response) =>
      method === 'GET'
        ? response.end(JSON.stringify({ impliedPolicy, policy: JSON.stringify(embedded) }))
        : response.writeHead(204).end(),
    )
    await madmin.updateServiceAccount('KEY', update)
    const last = received.at(-1)
    return JSON.parse(last ? (await openAdminBody(last.body, credentials.secretKey)).toString() : '')
  }

  test('an update that leaves the policy out sends the embedded one again', async () => {
    expect(await updated(false, { description: 'new' })).toEqual({ newPolicy: embedded, newDescription: 'new' })
  })
  test('an account with the rights of its parent gets no policy', async () => {
    expect(await updated(true, { status: 'disabled' })).toEqual({ newStatus: 'off' })
  })
  test('null removes the policy and the expiration', async () => {
    expect(await updated(false, { policy: null, expiration: null })).toEqual({ newExpiration: '1970-01-01T00:00:00Z' })
  })
})

describe('STS', () => {
  test('a role is assumed with a form signed for sts, and the credentials are read', async () => {
    const xml =
      '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
      '<AccessKeyId>TEMP</AccessKeyId><SecretAccessKey>0012</SecretAccessKey><SessionToken>a&amp;b</SessionToken>' +
      '<Expiration>2026-11-21T13:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>'
    const { received, connection } = await serve((_request, response) => response.end(xml))
    const given = await assumeRole({ ...connection, credentials }, { durationSeconds: 900, tokenRevokeType: 'x' })
    expect(given).toEqual({
      credentials: { accessKey: 'TEMP', secretKey: '0012', sessionToken: 'a&b' },
      expiration: new Date('2026-11-21T13:00:00Z'),
    })
    const [request] = received
    if (!request) throw new Error('nothing came')
    expect(verifiedAuthorization(request).scope).toMatchObject({ region: 'us-east-1', service: 'sts' })
    expect(Object.fromEntries(new URLSearchParams(request.body.toString()))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      DurationSeconds: '900',
      TokenRevokeType: 'x',
    })
  })

  test.each([
    ['AccessDenied', 'The Access Key Id you provided does not exist in our records.', 'InvalidAccessKeyId'],
    [
      'AccessDenied',
      'The request signature we calculated does not match the signature you provided.',
      'SignatureDoesNotMatch',
    ],
    ['AccessDenied', 'Access Denied.', 'AccessDenied'],
    ['InvalidParameterValue', 'invalid token expiry', 'InvalidParameterValue'],
  ])('%s "%s" is %s', async (code, message, expected) => {
    const xml = `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`
    const { connection } = await serve((_request, response) => response.writeHead(403).end(xml))
    await expect(assumeRole({ ...connection, credentials })).rejects.toMatchObject({ name: 'StsError', code: expected })
  })
})

test('health needs no signature and returns the write quorum', async () => {
  const { received, madmin } = await serve((_request, response) =>
    response.writeHead(503, { 'x-minio-write-quorum': '3', 'x-minio-server-status': 'starting' }).end(),
  )
  const expected = { healthy: false, writeQuorum: 3, serverStatus: 'starting', policies: 'minio' }
  expect(await madmin.clusterHealth()).toEqual(expected)
  expect(received).toHaveLength(1)
  expect(received[0]?.headers).not.toHaveProperty('authorization')
})

test('a quota must be a number of bytes', async () => {
  const { received, madmin } = await serve((_request, response) => response.end())
  await expect(madmin.setBucketQuota('b', { size: 1.5 })).rejects.toThrow(TypeError)
  await madmin.setBucketQuota('b', { size: 5 })
  expect(JSON.parse(received[0]?.body.toString() ?? '')).toEqual({
    quota: 5,
    size: 5,
    rate: 0,
    requests: 0,
    quotatype: 'hard',
  })
})

test('keys are set to nothing on servers of 2021, which only reset whole targets', async () => {
  const { received, madmin } = await serve(({ method }, response) => {
    if (method === 'DELETE') response.statusCode = 400
    const error = { Code: 'XMinioConfigError', Message: 'invalid number of arguments region comment' }
    response.end(method === 'DELETE' ? JSON.stringify(error) : '')
  })
  await madmin.deleteConfig('notify_webhook:a comment queue_limit')
  const [, set] = received
  expect(set?.path).toMatch(/set-config-kv/)
  expect(String(await openAdminBody(set?.body ?? Buffer.of(), credentials.secretKey))).toBe(
    'notify_webhook:a comment= queue_limit=',
  )
  await expect(madmin.deleteConfig('notify_webhook:a')).rejects.toThrow('invalid number of arguments')
})
