import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ldapEnvironment } from '../../iam/ldap/testing/entries.ts'
import { startTestStore } from '../testing/test-store.ts'

test('a flood of sign-ins from one address leaves connections of the directory for other addresses', async () => {
  // A directory that accepts connections and never answers.
  const connections: Socket[] = []
  const directory = createServer((socket) => connections.push(socket.on('error', () => {})))
  directory.listen(0, '127.0.0.1')
  await once(directory, 'listening')
  const { port } = directory.address() as AddressInfo
  await using store = await startTestStore({ environment: ldapEnvironment(port), ldap: '127.0.0.1', trustProxy: true })
  const signIn = (address: string, name: string) => {
    const form = { Action: 'AssumeRoleWithLDAPIdentity', Version: '2011-06-15', LDAPUsername: name, LDAPPassword: 'x' }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address }
    const body = new URLSearchParams(form).toString()
    return store.send({ method: 'POST', credentials: 'anonymous', headers, body })
  }
  const flood = Array.from({ length: 60 }, (_, index) => signIn('192.0.2.1', `user-${index}`))
  await expect.poll(() => connections).toHaveLength(4)
  const other = signIn('192.0.2.2', 'anna')
  await expect.poll(() => connections).toHaveLength(5)
  // Those that wait begin when others have ended; the rest was refused.
  const closing = setInterval(() => {
    for (const socket of connections.splice(0)) socket.destroy()
  }, 5)
  const answers = await Promise.all([...flood, other])
  clearInterval(closing)
  directory.close()
  expect(answers.filter(({ code }) => code === 'SlowDown')).toHaveLength(60 - 4 - 32)
})
