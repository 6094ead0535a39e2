import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { createAuthority, createCertificateRequest, openAuthority } from './pki.ts'

test('a server and a client verify each other with certificates of one authority', async () => {
  const authority = await createAuthority('test authority')
  const server = await authority.issue({ commonName: 'server', addresses: ['127.0.0.1'], usage: 'server' })
  const client = await authority.issue({ commonName: 'kubelet', organizations: ['nodes'], usage: 'client' })
  const listener = createServer({ ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const accepted = once(listener, 'secureConnection') as Promise<[TLSSocket]>
  const { port } = listener.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert, ...client })
  await once(socket, 'secureConnect')
  const [peer] = await accepted
  expect(peer.getPeerCertificate().subject).toMatchObject({ CN: 'kubelet', O: 'nodes' })
  socket.destroy()
  listener.close()
})

test('a request is signed with its subject and names, by an authority that was opened again', async () => {
  const made = await createAuthority('test authority')
  const authority = await openAuthority({ cert: made.cert, key: made.key })
  const { request } = await createCertificateRequest({
    commonName: 'system:node:*.alpha-hl.team-a.svc.cluster.local',
    organizations: ['system:nodes'],
    dnsNames: ['minio.team-a.svc', '*.alpha-hl.team-a.svc.cluster.local'],
  })
  const now = new Date('2026-03-01T12:00:00Z')
  const cert = new X509Certificate(await authority.sign(request, { usage: 'server', validMs: 3600_000, now }))
  expect(cert.subject).toBe('O=system:nodes\nCN=system:node:*.alpha-hl.team-a.svc.cluster.local')
  expect(cert.subjectAltName).toBe('DNS:minio.team-a.svc, DNS:*.alpha-hl.team-a.svc.cluster.local')
  expect(cert.checkIssued(new X509Certificate(made.cert))).toBe(true)
  expect(cert.verify(new X509Certificate(made.cert).publicKey)).toBe(true)
  expect(cert.validTo).toBe('Mar  1 13:00:00 2026 GMT')
  expect(cert.ca).toBe(false)
})

test('an invalid request is refused', async () => {
  const authority = await createAuthority('test authority')
  const { request } = await createCertificateRequest({ commonName: 'x' })
  const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  der[der.length - 3] = (der[der.length - 3] ?? 0) ^ 1
  await expect(authority.sign('no request', { usage: 'server' })).rejects.toThrow('not a certificate request')
  await expect(authority.sign(der.toString('base64'), { usage: 'server' })).rejects.toThrow('its own key')
})
