import { parseBucketPolicy, parsePolicy } from '@stowage/iam-policy'
import { readConfigText } from '@stowage/madmin'
import { redactText, redactUrl } from '@stowage/madmin/redact'
import { readXml } from '@stowage/madmin/xml'
import { readAuthorization } from '@stowage/sigv4'
import { compressionRule } from '../../packages/object-store/src/applied-config/compression-rule.ts'
import { OriginRules } from '../../packages/object-store/src/applied-config/origin-rules.ts'
import { bucketSettingCodecs } from '../../packages/object-store/src/bucket-settings/bucket-settings.ts'
import { parseTagging } from '../../packages/object-store/src/bucket-settings/tagging-codec.ts'
import { parseConfigDeletions, parseConfigLines } from '../../packages/object-store/src/config/config-lines.ts'
import { splitDnList } from '../../packages/object-store/src/config/ldap-registry.ts'
import { parseDurationMs, splitList } from '../../packages/object-store/src/config/value-types.ts'
import { readMysqlSource, readPostgresSource } from '../../packages/object-store/src/events/targets/data-sources.ts'
import { parsePostPolicy } from '../../packages/object-store/src/http/auth/post-policy.ts'
import { parseCopySource } from '../../packages/object-store/src/http/call/copy-source-name.ts'
import { decodeWireText } from '../../packages/object-store/src/http/call/wire-text.ts'
import { parseRange } from '../../packages/object-store/src/http/s3/headers/byte-range.ts'
import { encodeWords } from '../../packages/object-store/src/http/s3/headers/encoded-words.ts'
import { unquoteEtag } from '../../packages/object-store/src/http/s3/headers/preconditions.ts'
import { parseTagHeader } from '../../packages/object-store/src/http/s3/headers/tagging-header.ts'
import { parseDurationSeconds } from '../../packages/object-store/src/http/sts/assume-role.ts'
import { parseIamPolicy } from '../../packages/object-store/src/iam/policies.ts'
import { normalizeDn } from '../../packages/object-store/src/lib/distinguished-name.ts'
import { toXmlText } from '../../packages/object-store/src/lib/xml.ts'
import { parseRequestTarget } from '../../packages/object-store/src/requests/request-target.ts'
import { canonicalPairs, canonicalPath, decodeText, sortPairs } from '../../packages/sigv4/src/uri-encoding.ts'
import type { CostParser } from './cost-parser.ts'
import { type HostileText, POLICY_VARIABLE } from './hostile-texts.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Size of all headers of a request, and of its request line. */
const HEADERS = 32 * KIB

/** Elements inside one another, side by side, cut, and with attributes. */
const xmlTexts = (root: string, element: string): HostileText[] => [
  { begin: `<${root}>`, piece: `<${element}></${element}>`, end: `</${root}>` },
  { begin: `<${root}>`, piece: `<${element}>a</${element}>\n`, end: `</${root}>` },
  { begin: `<${root}>`, piece: `<${element}>`, end: `</${root}>` },
  { begin: `<${root}`, piece: ' a="b"', end: `></${root}>` },
  { begin: `<${root}`, piece: (index) => ` a${index}="b"`, end: `></${root}>` },
  { begin: `<${root}>`, piece: (index) => `<e${index}>a</e${index}>`, end: `</${root}>` },
  { begin: `<${root}><${element}>`, piece: '&amp;', end: `</${element}></${root}>` },
  { begin: `<${root}><${element}>`, piece: '<![CDATA[a]]>', end: `</${element}></${root}>` },
  { begin: `<${root}><${element}>`, piece: '<!-- - -->', end: `</${element}></${root}>` },
]

const statement = (rest: string) =>
  `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":["*"]},${rest}}]}`
const policyTexts: HostileText[] = [
  { begin: '{"Version":"2012-10-17","Statement":[', piece: '{},', end: '{}]}' },
  {
    begin: '{"Version":"2012-10-17","Statement":[',
    piece: '{"Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/*"]},',
    end: '{"Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/*"]}]}',
  },
  ...['"s3:GetObject",', '"s3:Get*",', '"nothing",', '"s3:*a*a*a",'].map((piece) => ({
    begin: statement('"Resource":["arn:aws:s3:::b/*"],"Action":[X').split('X')[0] ?? '',
    piece,
    end: '"s3:*"]}]}',
  })),
  ...[
    '"arn:aws:s3:::b/*",',
    '"arn:aws:s3:::b/*a*a*a",',
    '"x",',
    '"arn:aws:s3:::b/X",'.replace('X', POLICY_VARIABLE),
  ].map((piece) => ({
    begin: statement('"Action":["s3:GetObject"],"Resource":[X').split('X')[0] ?? '',
    piece,
    end: '"arn:aws:s3:::b/*"]}]}',
  })),
  ...['"a",', '"*a",', '"X",'.replace('X', POLICY_VARIABLE)].map((piece) => ({
    begin:
      statement(
        '"Action":["s3:ListBucket"],"Resource":["arn:aws:s3:::b"],"Condition":{"StringLike":{"s3:prefix":[X',
      ).split('X')[0] ?? '',
    piece,
    end: '"b"]}}}]}',
  })),
  {
    begin:
      '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:*"],"Resource":["*"],"Condition":{"Bool":{',
    piece: (index) => `"k${index}":["true"],`,
    end: '"aws:SecureTransport":["true"]}}}]}',
  },
  { begin: '{"Version":"2012-10-17","Statement":[{', piece: (index) => `"k${index}":1,`, end: '"Effect":"Allow"}]}' },
]

/** Parsers of the store, with the size of what callers can send to each. */
export const STORE_PARSERS: readonly CostParser[] = [
  {
    name: 'path and query of a request',
    run: (text) => parseRequestTarget(`/${text}?${text}`, 'h', ['d']),
    maxBytes: HEADERS,
  },
  { name: 'host name of a request', run: (text) => parseRequestTarget('/a', text, ['d.e']), maxBytes: HEADERS },
  { name: 'canonical query', run: (text) => sortPairs(canonicalPairs(text)), maxBytes: HEADERS },
  { name: 'canonical path', run: canonicalPath, maxBytes: HEADERS },
  { name: 'percent-encoded text', run: decodeText, maxBytes: HEADERS },
  {
    name: 'Authorization header',
    run: (authorization) => readAuthorization({ method: 'GET', path: '/', query: '', headers: { authorization } }),
    maxBytes: HEADERS,
    texts: [
      { begin: 'AWS4-HMAC-SHA256 Credential=a/20260101/b/s3/aws4_request, Signature=0, SignedHeaders=', piece: 'a;' },
      { begin: 'AWS4-HMAC-SHA256 Credential=', piece: '/a' },
      { begin: 'AWS4-HMAC-SHA256 ', piece: 'a=b, ' },
    ],
  },
  {
    name: 'presigned query',
    run: (query) => readAuthorization({ method: 'GET', path: '/', query, headers: {} }),
    maxBytes: HEADERS,
    texts: [{ begin: 'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-SignedHeaders=', piece: 'a%3B' }],
  },
  {
    name: 'range',
    run: (text) => parseRange(text, 1000),
    maxBytes: HEADERS,
    texts: [{ begin: 'bytes=', piece: '1 ' }],
  },
  { name: 'copy source', run: parseCopySource, maxBytes: HEADERS, texts: [{ begin: '/b/k?', piece: 'versionId=&' }] },
  { name: 'tags of a header', run: parseTagHeader, maxBytes: HEADERS },
  { name: 'text of a header', run: decodeWireText, maxBytes: HEADERS },
  { name: 'words of a header', run: encodeWords, maxBytes: 2 * KIB },
  { name: 'ETag of a condition', run: unquoteEtag, maxBytes: HEADERS },
  { name: 'duration of a session', run: parseDurationSeconds, maxBytes: HEADERS },
  { name: 'escaped XML', run: toXmlText, maxBytes: MIB },
  { name: 'XML', run: (text) => readXml(text), maxBytes: 4 * MIB, yields: true, texts: xmlTexts('Delete', 'Object') },
  {
    name: 'tags of an object',
    run: (text) => parseTagging(text, 'object'),
    maxBytes: 64 * KIB,
    texts: xmlTexts('Tagging', 'Tag'),
  },
  ...Object.entries(bucketSettingCodecs).map(
    ([name, codec]): CostParser => ({
      name: `bucket setting ${name}`,
      run: (text) => codec.read(text),
      maxBytes: name === 'policy' ? 20 * KIB : 256 * KIB,
      texts:
        name === 'policy'
          ? policyTexts
          : [
              ...xmlTexts('CORSConfiguration', 'CORSRule'),
              ...xmlTexts('LifecycleConfiguration', 'Rule'),
              ...xmlTexts('ReplicationConfiguration', 'Rule'),
              ...xmlTexts('NotificationConfiguration', 'QueueConfiguration'),
              ...xmlTexts('Tagging', 'TagSet'),
              {
                begin: '<LifecycleConfiguration>',
                piece: (index) =>
                  `<Rule><ID>r${index}</ID><Status>Enabled</Status><Filter><Prefix>a</Prefix></Filter><Expiration><Days>1</Days></Expiration></Rule>`,
                end: '</LifecycleConfiguration>',
              },
              {
                begin: '<CORSConfiguration>',
                piece:
                  '<CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>http://*.a</AllowedOrigin><AllowedHeader>*</AllowedHeader></CORSRule>',
                end: '</CORSConfiguration>',
              },
              {
                begin: '<NotificationConfiguration>',
                piece: (index) =>
                  `<QueueConfiguration><Id>n${index}</Id><Queue>arn:minio:sqs::1:webhook</Queue><Event>s3:ObjectCreated:*</Event><Filter><S3Key><FilterRule><Name>prefix</Name><Value>p${index}</Value></FilterRule></S3Key></Filter></QueueConfiguration>`,
                end: '</NotificationConfiguration>',
              },
              {
                begin: '<VersioningConfiguration><Status>Enabled</Status>',
                piece: '<ExcludedPrefixes><Prefix>*a</Prefix></ExcludedPrefixes>',
                end: '</VersioningConfiguration>',
              },
            ],
    }),
  ),
  {
    name: 'policy of a form',
    run: (text) => parsePostPolicy(Buffer.from(text).toString('base64')),
    maxBytes: 20 * KIB,
    texts: [
      { begin: '{"expiration":"2030-01-01T00:00:00Z","conditions":[', piece: '{"a":"b"},', end: '{"a":"b"}]}' },
      { begin: '{"expiration":"2030-01-01T00:00:00Z","conditions":[', piece: '["eq","$a","b"],', end: '[]]}' },
    ],
  },
  { name: 'policy', run: (text) => parsePolicy(text), maxBytes: 20 * KIB, texts: policyTexts },
  { name: 'policy of the admin API', run: parseIamPolicy, maxBytes: 20 * KIB, texts: policyTexts },
  { name: 'bucket policy', run: (text) => parseBucketPolicy(text, 'b'), maxBytes: 20 * KIB, texts: policyTexts },
  {
    name: 'configuration lines',
    run: parseConfigLines,
    maxBytes: 256 * KIB,
    texts: [
      { begin: 'region ', piece: 'a=b ' },
      { begin: 'region a="', piece: '""', end: '"' },
    ],
  },
  { name: 'configuration deletions', run: parseConfigDeletions, maxBytes: 256 * KIB },
  {
    name: 'configuration text of another server',
    run: readConfigText,
    maxBytes: MIB,
    texts: [
      { begin: 'notify_webhook:1 ', piece: 'a="b" ' },
      { begin: 'notify_webhook:1 a="', piece: '" a' },
      { begin: 'notify_webhook:1 a="', piece: '"  ', end: '"x' },
    ],
  },
  { name: 'list of a setting', run: splitList, maxBytes: 64 * KIB },
  { name: 'list of distinguished names', run: splitDnList, maxBytes: 64 * KIB },
  { name: 'duration of a setting', run: parseDurationMs, maxBytes: 64 * KIB },
  {
    name: 'data source of MySQL',
    run: readMysqlSource,
    maxBytes: 64 * KIB,
    texts: [{ begin: 'a@tcp(', piece: ':1', end: 'x)/d' }],
  },
  {
    name: 'data source of PostgreSQL',
    run: readPostgresSource,
    maxBytes: 64 * KIB,
    texts: [{ piece: "a='b' " }, { begin: "a='", piece: "\\'" }],
  },
  {
    name: 'compression rule',
    run: (text) =>
      compressionRule({ enable: 'on', mime_types: text, extensions: text })({
        key: text,
        contentType: text.slice(0, 4096),
        isEncrypted: false,
      }),
    maxBytes: 16 * KIB,
  },
  { name: 'origins of pages', run: (text) => new OriginRules([text]).answerFor(text), maxBytes: 16 * KIB },
  {
    name: 'distinguished name',
    run: normalizeDn,
    maxBytes: 16 * KIB,
    texts: [{ begin: 'cn=', piece: '\\', end: 'a' }, { piece: 'cn=a,' }, { piece: 'cn=a+' }],
  },
  {
    name: 'secrets of a text',
    run: redactText,
    maxBytes: MIB,
    texts: [
      { begin: 'Cookie', piece: '\\' },
      { begin: 'Cookie" ', piece: ' ' },
      { begin: 'cookie ', piece: 'Bearer ' },
      { piece: 'Authorization\\\\\\\\' },
      { begin: 'bearer', piece: 'Bearer    ' },
    ],
  },
  { name: 'secrets of a URL', run: redactUrl, maxBytes: HEADERS },
]
