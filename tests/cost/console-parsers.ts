import { Readable } from 'node:stream'
import { parseDuration } from '@stowage/contract/values/duration'
import { parseQuantity } from '@stowage/contract/values/quantity'
import { policyAccessRules } from '../../apps/server/src/areas/buckets/access-rule-statements.ts'
import { policyStatements, summarizeAccess } from '../../apps/server/src/areas/buckets/bucket-access.ts'
import { configWithoutSecrets, exportedTargets } from '../../apps/server/src/areas/configs/export-config.ts'
import { withoutPassword } from '../../apps/server/src/areas/configs/hidden-passwords.ts'
import { wireLogMessage } from '../../apps/server/src/areas/logs/log-message.ts'
import { readDirectory } from '../../apps/server/src/areas/objects/archive/archive-directory.ts'
import { isEscapingName } from '../../apps/server/src/areas/objects/archive/member-names.ts'
import { readHeaderText } from '../../apps/server/src/areas/objects/details/object-headers.ts'
import { ZipNames } from '../../apps/server/src/areas/objects/download/zip-names.ts'
import { zipPath } from '../../apps/server/src/areas/objects/download/zip-path.ts'
import { decodeListedKey } from '../../apps/server/src/areas/objects/listing/listing-page.ts'
import { csvText } from '../../apps/server/src/areas/objects/search/search-export.ts'
import { parseResource } from '../../apps/server/src/areas/policies/access-question.ts'
import { parseRuleTags } from '../../apps/server/src/areas/replication/replication-configuration.ts'
import { joinCookie, readCookies } from '../../apps/server/src/areas/session/sealed-sessions/cookies.ts'
import { kesLayout } from '../../apps/server/src/areas/tenants/certificates/kes-configuration.ts'
import { authorityCertificates } from '../../apps/server/src/areas/tenants/certificates/pem-certificates.ts'
import { readTenantYaml } from '../../apps/server/src/areas/tenants/details/parse-tenant-yaml.ts'
import { hideSecretsInText, objectForDisplay } from '../../apps/server/src/areas/tenants/kube-objects/hide-secrets.ts'
import { parseAuditRecords } from '../../apps/server/src/lib/audit/records/audit-record.ts'
import { parseCursor } from '../../apps/server/src/lib/audit/search/audit-page.ts'
import { findLongestText, toLikePattern } from '../../apps/server/src/lib/audit/search/filter-pattern.ts'
import { splitBasePath } from '../../apps/server/src/lib/http/base-path.ts'
import { contentDisposition, objectFileName } from '../../apps/server/src/lib/http/downloads/content-disposition.ts'
import { guessContentType, previewContentType } from '../../apps/server/src/lib/http/downloads/content-type.ts'
import { parseTextFormat } from '../../apps/server/src/lib/metrics/series/text-format.ts'
import { parsePolicyText } from '../../apps/server/src/lib/permissions/policy-text.ts'
import { toUpstreamError } from '../../apps/server/src/lib/storage/s3-failure.ts'
import { parseStorageXml } from '../../apps/server/src/lib/xml/storage-xml.ts'
import { readConfigEnv } from '../../packages/kube/src/config-env.ts'
import { readJsonStream } from '../../packages/madmin/src/transport/json-stream.ts'
import { parseFailure } from '../../packages/madmin/src/transport/parse-failure.ts'
import type { CostParser } from './cost-parser.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Size of all headers of a request, and of its request line. */
const HEADERS = 96 * KIB
/** Size of a JSON body. */
const BODY = MIB

/** Reads a text that arrives in pieces of a size that splits its lines. */
const asStream = (text: string) =>
  Readable.from(
    Buffer.from(text)
      .toString('latin1')
      .match(/.{1,1400}/gs)
      ?.map((piece) => Buffer.from(piece, 'latin1')) ?? [],
  )

async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

/** A zip directory with entries of this text as their names. */
function directoryBytes(text: string): Buffer {
  const entries: Buffer[] = []
  for (let at = 0; at < text.length; at += 8) {
    const name = Buffer.from(text.slice(at, at + 8))
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at % 65_536, 42)
    entries.push(entry, name)
  }
  return Buffer.concat(entries)
}

/** Parsers of the console and of the operator console, with the size of what callers and storage servers can send to each. */
export const CONSOLE_PARSERS: readonly CostParser[] = [
  {
    name: 'path of a request',
    run: (text) =>
      splitBasePath(`/${text}`, {
        publicPath: '/',
        forwardedPrefix: text.slice(0, 100),
        ofTenant: true,
        screens: true,
      }),
    maxBytes: HEADERS,
  },
  {
    name: 'cookies',
    run: (text) => joinCookie('a', readCookies(text)),
    maxBytes: HEADERS,
    texts: [{ piece: 'a=b; ' }, { piece: (index) => `a.${index}=b; ` }, { piece: (index) => `k${index}=b; ` }],
  },
  { name: 'policy text', run: (text) => parsePolicyText(text, [], 'policy'), maxBytes: BODY },
  {
    name: 'access of a bucket policy',
    run: (text) => summarizeAccess(text, 'b'),
    maxBytes: 20 * KIB,
    texts: [
      {
        begin: '{"Statement":[',
        piece: '{"Effect":"Allow","Principal":"*","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/*"]},',
        end: '{}]}',
      },
    ],
  },
  {
    name: 'access rules of a bucket policy',
    run: (text) => policyAccessRules(text, 'b'),
    maxBytes: 20 * KIB,
    texts: [
      {
        begin: '{"Statement":[',
        piece: (index) =>
          `{"Effect":"Allow","Principal":"*","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/p${index}*"]},`,
        end: '{}]}',
      },
    ],
  },
  { name: 'statements of a bucket policy', run: policyStatements, maxBytes: 20 * KIB },
  {
    name: 'configuration for export',
    run: configWithoutSecrets,
    maxBytes: BODY,
    texts: [{ piece: (index) => `notify_webhook:${index} endpoint="http://a" auth_token="b"\n` }],
  },
  {
    name: 'targets of a configuration',
    run: exportedTargets,
    maxBytes: BODY,
    texts: [
      { piece: (index) => `notify_webhook:${index} endpoint="http://a"\n` },
      { piece: (index) => `# MINIO_A_${index}=b\n` },
    ],
  },
  {
    name: 'password of a data source',
    run: (text) => withoutPassword('dsn_string', text),
    maxBytes: 64 * KIB,
    texts: [
      { begin: 'a:b', piece: '@tcp(' },
      { begin: 'a:b', piece: '@' },
      { begin: 'a:', piece: '@a(@', end: '\n' },
    ],
  },
  {
    name: 'password of a connection',
    run: (text) => withoutPassword('connection_string', text),
    maxBytes: 64 * KIB,
    texts: [{ piece: 'password=a ' }, { piece: "password='" }, { begin: 'postgres://', piece: ':@' }],
  },
  { name: 'log message', run: (text) => wireLogMessage({ ConsoleMsg: text, error: { message: text } }), maxBytes: MIB },
  {
    name: 'directory of a zip archive',
    run: (text) => {
      const bytes = directoryBytes(text)
      readDirectory(bytes, { offset: 0, size: bytes.length, count: bytes.length / 54, shift: 0 })
    },
    maxBytes: 8 * MIB,
    yields: true,
  },
  { name: 'name in a zip archive', run: isEscapingName, maxBytes: 64 * KIB },
  {
    name: 'metadata of an object',
    run: readHeaderText,
    maxBytes: HEADERS,
    texts: [
      { piece: '=?utf-8?q?' },
      { piece: '=?utf-8?q?a?= ' },
      { begin: '=?utf-8?q?a?=', piece: ' ', end: 'x' },
      { begin: '=?utf-8?q?', piece: '=41', end: '?=' },
    ],
  },
  { name: 'path in a zip download', run: zipPath, maxBytes: KIB },
  {
    name: 'names in a zip download',
    run: (text) => {
      const names = new ZipNames()
      for (let at = 0; at < text.length; at += 4) names.file(text.slice(at, at + 4))
    },
    maxBytes: 256 * KIB,
    yields: true,
  },
  { name: 'key of a listing', run: decodeListedKey, maxBytes: 16 * KIB },
  { name: 'cell of an export', run: csvText, maxBytes: 64 * KIB },
  { name: 'resource of a question', run: parseResource, maxBytes: BODY, texts: [{ begin: 'arn', piece: ':a' }] },
  { name: 'tags of a replication rule', run: parseRuleTags, maxBytes: BODY },
  { name: 'image of a key server', run: kesLayout, maxBytes: 64 * KIB, texts: [{ piece: ':a@', end: '\n' }] },
  {
    name: 'certificates',
    run: (text) => authorityCertificates(Buffer.from(text).toString('base64')),
    maxBytes: 256 * KIB,
    texts: [
      { piece: '-----BEGIN CERTIFICATE-----\n' },
      { piece: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n' },
    ],
  },
  {
    name: 'YAML of a tenant',
    run: readTenantYaml.run,
    maxBytes: 256 * KIB,
    yields: true,
    texts: [
      { piece: (index) => `k${index}: v\n` },
      { begin: '{', piece: (index) => `k${index}: v, `, end: '}' },
      { begin: 'a: &a b\nc: [', piece: '*a, ', end: ']' },
      { piece: (index) => `${' '.repeat(index % 200)}a:\n` },
      { begin: 'a: "', piece: 'b\n ', end: '"' },
      { begin: 'a: |\n', piece: ' b\n' },
      { piece: '? a\n' },
      { piece: '--- a\n' },
      { piece: '!!str a: b\n' },
      { piece: '&a ' },
      { piece: '# c\n' },
    ],
  },
  {
    name: 'secrets of a log',
    run: hideSecretsInText,
    maxBytes: MIB,
    texts: [
      { piece: 'SECRET=' },
      { piece: 'SECRET="' },
      { piece: '"secret":"' },
      { piece: 'secret-' },
      { piece: '-secret' },
      { piece: 'secret_key' },
      { begin: '"secret', piece: ' ', end: ':' },
      { piece: '://a:b' },
      { piece: 'Bearer AAAAAAAA' },
    ],
  },
  {
    name: 'secrets of an object',
    run: (text) => objectForDisplay({ metadata: { annotations: { a: text } } }),
    maxBytes: 256 * KIB,
    texts: [{ begin: '{"a":', piece: '{"a":', end: '1' }],
  },
  {
    name: 'audit records',
    run: (text) => parseAuditRecords(text, 's'),
    maxBytes: 4 * MIB,
    yields: true,
    texts: [{ piece: '{"api":{"name":"GetObject"}}\n' }, { piece: '{"a":{"b":{"c":' }],
  },
  { name: 'cursor of an audit page', run: parseCursor, maxBytes: HEADERS },
  { name: 'text of an audit filter', run: findLongestText, maxBytes: HEADERS },
  { name: 'audit filter for a database', run: toLikePattern, maxBytes: HEADERS },
  {
    name: 'file name of a download',
    run: (text) => contentDisposition('attachment', objectFileName(text)),
    maxBytes: KIB,
  },
  { name: 'content type', run: (text) => [guessContentType(text, text), previewContentType(text)], maxBytes: 64 * KIB },
  {
    name: "Prometheus' text format",
    run: (text) => parseTextFormat(text, () => true),
    maxBytes: 4 * MIB,
    yields: true,
    texts: [
      { piece: 'a{b="c"} 1\n' },
      { begin: 'a{', piece: '} ', end: 'x' },
      { begin: 'a{', piece: '} 1 ', end: 'x' },
      { begin: 'a{', piece: 'b="c",', end: '} 1' },
      { begin: 'a{b="', piece: '\\"', end: '"} 1' },
      { begin: 'a', piece: ' ', end: 'x y z' },
    ],
  },
  {
    name: 'failed answer of the storage server',
    run: (text) => toUpstreamError({ statusCode: 500, headers: {} }, text),
    maxBytes: MIB,
  },
  { name: 'failed answer of the admin API', run: (text) => parseFailure(500, text), maxBytes: MIB },
  { name: 'XML of the storage server', run: parseStorageXml, maxBytes: MIB, yields: true },
  {
    name: 'stream of JSON',
    run: (text) => drain(readJsonStream(asStream(text))),
    maxBytes: 4 * MIB,
    yields: true,
    texts: [{ piece: '{"a":1}\n' }, { piece: '1\n' }],
  },
  { name: 'duration', run: parseDuration, maxBytes: BODY, texts: [{ piece: '1s' }, { piece: '1' }] },
  { name: 'quantity of Kubernetes', run: parseQuantity, maxBytes: BODY },
  {
    name: 'configuration of a tenant',
    run: (text) => readConfigEnv(text, 'shell'),
    maxBytes: BODY,
    texts: [{ piece: 'export A="b"\n' }, { begin: 'export A="', piece: '\\"', end: '"' }],
  },
]
