import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readKubeconfig } from './kubeconfig.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-kubeconfig-'))
  await writeFile(join(folder, 'ca.crt'), 'the authority')
  await writeFile(join(folder, 'token'), 'from-a-file\n')
})
afterAll(() => rm(folder, { recursive: true }))

const config = (cluster: string, user: string) => `
apiVersion: v1
kind: Config
current-context: here
contexts:
- { name: elsewhere, context: { cluster: c, user: other } }
- { name: here, context: { cluster: c, user: u, namespace: team-a } }
clusters:
- { name: c, cluster: { server: "https://10.0.0.1:6443", ${cluster} } }
users:
- { name: u, user: { ${user} } }
`

async function read(cluster: string, user: string) {
  const path = join(folder, 'config')
  await writeFile(path, config(cluster, user))
  return await readKubeconfig(path)
}

test('a token and an authority within the file', async () => {
  const data = Buffer.from('inline').toString('base64')
  expect(await read(`certificate-authority-data: ${data}`, 'token: abc')).toEqual({
    cluster: { server: 'https://10.0.0.1:6443', ca: 'inline', serverName: undefined, cert: undefined, key: undefined },
    token: 'abc',
    namespace: 'team-a',
  })
})

test('files are found beside the kubeconfig', async () => {
  expect(await read('certificate-authority: ca.crt', 'tokenFile: token')).toMatchObject({
    cluster: { ca: 'the authority' },
    token: 'from-a-file',
  })
})

test.each([
  ['insecure-skip-tls-verify: true', 'token: abc', 'certificate checks'],
  ['tls-server-name: x', 'exec: { command: aws }', 'from a program'],
])('%s with %s is refused', async (cluster, user, message) => {
  await expect(read(cluster, user)).rejects.toThrow(message)
})
