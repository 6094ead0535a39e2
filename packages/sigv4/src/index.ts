export { type Authorization, readAuthorization } from './authorization.ts'
export { ChunkDecoder, type ChunkDecoderOptions, MAX_SIGNED_CHUNK_BYTES } from './chunk-decoder.ts'
export { ChunkEncoder, type ChunkEncoderOptions, encodedLength } from './chunk-encoder.ts'
export {
  EMPTY_SHA256,
  type PayloadMode,
  payloadMode,
  STREAMING_SIGNED,
  STREAMING_SIGNED_TRAILER,
  STREAMING_UNSIGNED_TRAILER,
  UNSIGNED_PAYLOAD,
} from './payload.ts'
export { PayloadCheck } from './payload-check.ts'
export {
  type PostAuthorization,
  type PostPolicyFields,
  readPostAuthorization,
  signPostPolicy,
  verifyPostPolicy,
} from './post-policy.ts'
export { findRepeatedHeader } from './repeated-header.ts'
export { presign, type SignatureSeed, type SignedHeaders, type SignOptions, signHeaders } from './sign.ts'
export { SIGNATURE_STATUS, SignatureError, type SignatureErrorCode } from './signature-error.ts'
export {
  isVersion2Form,
  isVersion2Query,
  readVersion2Form,
  readVersion2Query,
  verifyVersion2Form,
  verifyVersion2Query,
} from './signature-v2.ts'
export { SigningKeys } from './signing-key.ts'
export type { SignableHeaders, SignableRequest, SigningCredentials, SigningScope } from './types.ts'
export { encodePath, encodeQuery, encodeText } from './uri-encoding.ts'
export { MAX_SKEW_MS, type VerifyOptions, verifyRequest } from './verify.ts'
