import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sealPieces } from '../sealing/sealing-pieces.ts'
import { openInspectedData } from './diagnostics.ts'

const key = randomBytes(32)
const sealed = (content: Buffer) =>
  Buffer.concat([Buffer.of(1), key, ...sealPieces(content, 'argon2id-aes256gcm', key, Buffer.alloc(8))])

test('inspected data are opened with the key in the answer', () => {
  const content = randomBytes(40_000)
  expect(openInspectedData(sealed(content))).toEqual(content)
})

test('an answer that is cut off, changed, or of another format is refused', () => {
  const answer = sealed(Buffer.alloc(100))
  expect(() => openInspectedData(answer.subarray(0, 40))).toThrow('too short')
  expect(() => openInspectedData(answer.subarray(0, -1))).toThrow()
  expect(() => openInspectedData(Buffer.concat([Buffer.of(2), answer.subarray(1)]))).toThrow('no format 2')
})
