import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { isNameOfStore } from './foreign-page.ts'

test.each([
  ['127.0.0.1:9000', true],
  ['[::1]:9000', true],
  ['[fd00::1]', true],
  ['localhost:9000', true],
  ['LOCALHOST.', true],
  ['minio:9000', true],
  [`${hostname()}:9000`, true],
  ['nas.local', true],
  ['store.ns.svc.cluster.local:9000', true],
  ['s3.company.example:9000', true],
  ['bucket.s3.company.example', true],
  ['evil.example:9000', false],
  ['evil.example.', false],
  ['127.0.0.1.evil.example', false],
  ['1.2.3.4.5', false],
  ['notlocal.evillocal', false],
  ['evils3.company.example', false],
])('%s: %s', (host, expected) => expect(isNameOfStore(host, ['s3.company.example'])).toBe(expected))
