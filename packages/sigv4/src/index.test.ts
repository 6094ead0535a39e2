import { expect, test } from 'vitest'
import * as sigv4 from './index.ts'

test('the public names', () => {
  expect(Object.keys(sigv4).sort()).toMatchInlineSnapshot(`
    [
      "ChunkDecoder",
      "ChunkEncoder",
      "EMPTY_SHA256",
      "MAX_SIGNED_CHUNK_BYTES",
      "MAX_SKEW_MS",
      "PayloadCheck",
      "SIGNATURE_STATUS",
      "STREAMING_SIGNED",
      "STREAMING_SIGNED_TRAILER",
      "STREAMING_UNSIGNED_TRAILER",
      "SignatureError",
      "SigningKeys",
      "UNSIGNED_PAYLOAD",
      "encodePath",
      "encodeQuery",
      "encodeText",
      "encodedLength",
      "findRepeatedHeader",
      "isVersion2Form",
      "isVersion2Query",
      "payloadMode",
      "presign",
      "readAuthorization",
      "readPostAuthorization",
      "readVersion2Form",
      "readVersion2Query",
      "signHeaders",
      "signPostPolicy",
      "verifyPostPolicy",
      "verifyRequest",
      "verifyVersion2Form",
      "verifyVersion2Query",
    ]
  `)
})
