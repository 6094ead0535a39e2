import { once } from 'node:events'
import { connect } from 'node:net'
import { PutBucketPolicyCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { sharedConsole } from '../support/console/shared-console.ts'
import type { TestTarget } from '../support/console/test-target.ts'

/*
 * A request says whom it is for in several ways. If a hole were open, a proxy and the program behind it would understand two
 * different requests, or a web page whose name leads to the store (DNS rebinding) would read what its visitor's address may.
 */

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

/** Sends lines of a request as they are; returns the status. */
async function sendLines(url: string, lines: string[]): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (data) => (text += data.toString()))
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  return Number(text.split(' ')[1])
}

ownStore.test('two hosts, and two signatures, are refused by console and store', async () => {
  for (const [url, path] of [
    [c.serverUrl, '/minio/health/live'],
    [c.url, '/api/v1/login'],
  ] as const) {
    const first = `GET ${path} HTTP/1.1`
    const { host } = new URL(url)
    const status = (...lines: string[]) => sendLines(url, [first, ...lines])
    expect(await status(`Host: ${host}`)).toBe(200)
    expect(await status(`Host: ${host}`, 'Host: evil.example')).toBe(400)
    expect(await status(`Host: ${host}`, `hOST: ${host}`)).toBe(400)
    expect(await status(`Host: ${host}`, 'Authorization: Bearer a', 'authorization: Bearer b')).toBe(400)
  }
})

ownStore.test('a host in the first line that is not that of the header is refused', async () => {
  const { host } = new URL(c.serverUrl)
  const path = '/minio/health/live'
  expect(await sendLines(c.serverUrl, [`GET http://${host}${path} HTTP/1.1`, `Host: ${host}`])).toBe(200)
  expect(await sendLines(c.serverUrl, [`GET http://evil.example${path} HTTP/1.1`, `Host: ${host}`])).toBe(400)
})

ownStore.test('a page whose own name leads to the store gets no right of its visitor by address', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  const statement = {
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:GetObject'],
    Resource: [`arn:aws:s3:::${Bucket}/*`],
  }
  const Condition = { IpAddress: { 'aws:SourceIp': ['127.0.0.0/8', '::1/128'] } }
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [{ ...statement, Condition }] })
  await c.s3.send(new PutBucketPolicyCommand({ Bucket, Policy }))
  const { host, port } = new URL(c.serverUrl)
  const status = (name: string, ...more: string[]) =>
    sendLines(c.serverUrl, [`GET /${Bucket}/k HTTP/1.1`, `Host: ${name}`, ...more])
  const pages = [
    ['Accept-Language: en'],
    ['Accept-Language: '],
    ['User-Agent: Mozilla/5.0 (X11; Linux x86_64)'],
    ['Sec-Fetch-Site: same-origin'],
    [`Origin: http://evil.example:${port}`],
    [`Referer: http://evil.example:${port}/`],
  ]
  for (const headers of pages) {
    expect([headers, await status(`evil.example:${port}`, ...headers)]).toEqual([headers, 403])
  }
  // The store by its own names, and programs, which do not follow a page.
  expect(await status(host, 'Accept-Language: en')).toBe(200)
  expect(await status(`localhost:${port}`, 'User-Agent: Mozilla/5.0')).toBe(200)
  expect(await status('store.company.example', 'User-Agent: curl/8.5.0')).toBe(200)
})
