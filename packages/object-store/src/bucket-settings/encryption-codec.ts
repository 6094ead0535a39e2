import { S3Error } from '../lib/errors.ts'
import { children, optionalXmlTag, parseXml, s3Document, xmlChild, xmlChildText, xmlTag } from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'

/** Encryption of new objects that request none. */
export type DefaultEncryption = { mode: 'SSE-S3' } | { mode: 'SSE-KMS' /** Default: the store's. */; keyId?: string }

const KEY_PREFIX = 'arn:aws:kms:'

export const encryptionCodec: SettingCodec<DefaultEncryption> = {
  read(document) {
    const rules = children(parseXml(document, 'ServerSideEncryptionConfiguration'), 'Rule')
    if (rules.length !== 1) throw malformed('There must be one Rule.')
    const rule = xmlChild(rules[0], 'ApplyServerSideEncryptionByDefault')
    const algorithm = xmlChildText(rule, 'SSEAlgorithm')
    const keyId = readKeyId(xmlChildText(rule, 'KMSMasterKeyID'))
    if (algorithm === 'AES256') {
      if (keyId !== undefined) throw malformed('KMSMasterKeyID is for aws:kms alone.')
      return { mode: 'SSE-S3' }
    }
    if (algorithm !== 'aws:kms') throw malformed('The SSEAlgorithm must be AES256 or aws:kms.')
    return { mode: 'SSE-KMS', ...(keyId !== undefined && { keyId }) }
  },
  write(encryption) {
    const isKms = encryption.mode === 'SSE-KMS'
    const content =
      xmlTag('SSEAlgorithm', isKms ? 'aws:kms' : 'AES256') +
      optionalXmlTag('KMSMasterKeyID', isKms ? encryption.keyId : undefined)
    const rule = `<Rule><ApplyServerSideEncryptionByDefault>${content}</ApplyServerSideEncryptionByDefault></Rule>`
    return s3Document('ServerSideEncryptionConfiguration', rule)
  },
}

/** The name of a key, which some clients write as an ARN; undefined when it is empty. */
export function readKeyId(text: string | undefined): string | undefined {
  const name = text?.startsWith(KEY_PREFIX) ? text.slice(KEY_PREFIX.length) : text
  return name === '' ? undefined : name
}

/** Returns a key's name in answers. */
export function keyArn(keyId: string): string {
  return KEY_PREFIX + keyId
}

function malformed(message: string): S3Error {
  return new S3Error('MalformedXML', message)
}
