import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACTIONS, CONDITION_OPERATORS, formatPolicy, type PolicyDocument, type ProblemCode } from '../index.ts'
import { parseBucketPolicy, parsePolicy } from './parse-policy.ts'
import { problemText } from './problems.ts'

/** A document with the verdict of MinIO RELEASE.2025-10-15, as observed, and ours. */
interface Example {
  name: string
  /** The document, or its text if the exact text matters. */
  document: unknown
  minio: 'accepts' | 'refuses'
  errors: ProblemCode[]
  warnings?: ProblemCode[]
  /** Why our verdict differs, if it does. */
  why?: string
}

const readExamples = (file: string): [string, Example][] => {
  const rows: Example[] = JSON.parse(readFileSync(new URL(`./examples/${file}.json`, import.meta.url), 'utf8'))
  return rows.map((row) => [row.name, row])
}
const documentText = ({ document }: Example) => (typeof document === 'string' ? document : JSON.stringify(document))
const problemCodes = (problems: readonly { code: ProblemCode }[]) => [...new Set(problems.map(({ code }) => code))]

test.each(readExamples('policies'))('policy: %s', (_, example) => {
  const result = parsePolicy(documentText(example))
  expect(problemCodes(result.errors)).toEqual(example.errors)
  expect(problemCodes(result.warnings)).toEqual(example.warnings ?? [])
  expect(result.ok === (example.minio === 'accepts') || example.why !== undefined).toBe(true)
})

test.each(readExamples('bucket-policies'))('bucket policy: %s', (_, example) => {
  const result = parseBucketPolicy(documentText(example), 'bkt')
  expect(problemCodes(result.errors)).toEqual(example.errors)
  expect(problemCodes(result.warnings)).toEqual(example.warnings ?? [])
  expect(result.ok === (example.minio === 'accepts') || example.why !== undefined).toBe(true)
})

const statement = (text: string) => `{"Version": "2012-10-17", "Statement": [${text}]}`
const errorTexts = (text: string) => parsePolicy(text).errors.map(problemText)

test('every problem is reported, in the order of the text, with its place', () => {
  const text = `{
  "Version": "2012",
  "Statement": [
    { "Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::*" },
    { "Effect": "Deny", "Action": "s3:GetObjct", "Resource": "bucket/*" },
    { "Effect": "allow", "Action": ["s3:GetObject", "admin:ListUsers"], },
  ]
}`
  expect(errorTexts(text)).toMatchInlineSnapshot(`
    [
      "line 2, column 14: Version: "2012" is not "2012-10-17"",
      "line 5, column 35: Statement[1].Action: "s3:GetObjct" is not a known action, did you mean "s3:GetObject"?",
      "line 5, column 62: Statement[1].Resource: "bucket/*" is not a resource; it has to be "*" or start like "arn:aws:s3:::bucket/*"",
      "line 6, column 5: Statement[2].Resource: must name at least one resource, such as "arn:aws:s3:::bucket/*"",
      "line 6, column 17: Statement[2].Effect: "allow" is not one of Allow, Deny",
      "line 6, column 53: Statement[2].Action[1]: "admin:ListUsers" and "s3:GetObject" cannot stand in one statement; actions of s3, admin, kms and sts need a statement of their own",
      "line 6, column 71: the comma before "}" is one too many",
      "line 6, column 74: the comma before "]" is one too many",
    ]
  `)
})

test.each([
  ['an unknown action', '{"Effect":"Allow","Action":"s3:getobject","Resource":"*"}', 'did you mean "s3:GetObject"?'],
  [
    'a wildcard that matches nothing',
    '{"Effect":"Allow","Action":"s3:Fetch*","Resource":"*"}',
    'matches no known action',
  ],
  ['an admin wildcard', '{"Effect":"Allow","Action":"admin:List*"}', 'except "admin:*"'],
  [
    'an unknown operator',
    '{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"StringEqual":{"aws:username":"x"}}}',
    'Statement[0].Condition.StringEqual: "StringEqual" is not an operator, did you mean "StringEquals"?',
  ],
  [
    'an unknown key',
    '{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"StringEquals":{"aws:UserName":"x"}}}',
    'did you mean "aws:username"?',
  ],
  [
    'a key of another action',
    '{"Effect":"Allow","Action":"s3:CreateBucket","Resource":"*","Condition":{"StringEquals":{"s3:prefix":"x"}}}',
    '"s3:prefix" is not allowed with s3:CreateBucket; allowed are the common keys',
  ],
  [
    'one value of several',
    '{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"IpAddress":{"aws:SourceIp":["10.0.0.0/8","10.0.0.0/99"]}}}',
    'Statement[0].Condition.IpAddress.aws:SourceIp[1]: IpAddress: "10.0.0.0/99" is not an address',
  ],
  [
    'a missing resource',
    '{"Effect":"Allow","Action":"s3:*"}',
    'Statement[0].Resource: must name at least one resource',
  ],
  ['a comma too many', '{"Effect":"Allow","Action":["s3:*",],"Resource":"*"}', 'the comma before "]" is one too many'],
  ['a comma too few', '{"Effect":"Allow" "Action":"s3:*","Resource":"*"}', 'a comma is missing'],
  ['a member given twice', '{"Effect":"Allow","action":"s3:*","Action":"s3:*","Resource":"*"}', 'is given twice'],
])('%s', (_, text, expected) => {
  const [first, ...others] = errorTexts(statement(text))
  expect(first).toContain(expected)
  expect(others).toEqual([])
})

test('every wrong value of a condition is reported', () => {
  const condition = '{"IpAddress":{"aws:SourceIp":["10.0.0.0/99","10.0.0.0/8","x"]}}'
  const text = statement(`{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":${condition}}`)
  expect(parsePolicy(text).errors.map(({ path }) => path)).toEqual([
    'Statement[0].Condition.IpAddress.aws:SourceIp[0]',
    'Statement[0].Condition.IpAddress.aws:SourceIp[2]',
  ])
})

test('an unknown member is a warning that names the most similar one', () => {
  const { ok, warnings } = parsePolicy(
    statement('{"Effect":"Allow","Action":"s3:*","Resource":"*","Conditions":{"StringEquals":{"aws:username":"x"}}}'),
  )
  expect(ok).toBe(true)
  expect(warnings.map(problemText)).toEqual([
    'line 1, column 90: Statement[0].Conditions: is unknown and has no effect, did you mean "Condition"?',
  ])
})

describe('the normal form', () => {
  test('has arrays, the names of the language, and nothing empty', () => {
    const result = parsePolicy(
      '{"id":"","version":"2012-10-17","STATEMENT":[{"sid":"a","effect":"Allow","action":"s3:GetObject",' +
        '"resource":"*","condition":{"StringEquals":{"aws:username":"bob"}},"Foo":1}]}',
    )
    expect(result.ok && result.policy).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'a',
          Effect: 'Allow',
          Action: ['s3:GetObject'],
          Resource: ['*'],
          Condition: { StringEquals: { 'aws:username': ['bob'] } },
        },
      ],
    })
  })

  test('treats __proto__ as an ordinary name', () => {
    const text = '{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"__proto__":{"aws:username":"x"}}}'
    expect(errorTexts(statement(text))).toEqual([expect.stringContaining('"__proto__" is not an operator')])
  })
})

describe('purposes', () => {
  const empty = '{}'
  const noStatements = '{"Version":"2012-10-17"}'
  test.each([
    ['policy', empty, ['MissingVersion', 'MissingStatement']],
    ['policy', noStatements, ['MissingStatement']],
    ['session', empty, ['MissingVersion']],
    ['session', noStatements, []],
    ['service-account', empty, []],
  ] as const)('%s %s', (purpose, text, codes) => {
    expect(problemCodes(parsePolicy(text, { purpose }).errors)).toEqual(codes)
  })
})

test.each([
  ['{"Effect":"Allow","NotAction":"s3:*","Resource":"arn:aws:s3:::*"}'],
  ['{"Effect":"Allow","Action":"s3:*","NotResource":"arn:aws:s3:::*"}'],
  ['{"Effect":"Allow","Action":"s3:PutBucketCors","Resource":"arn:aws:s3:::*"}'],
  ['{"Effect":"Allow","Action":"admin:ExportIAM"}'],
  ['{"Effect":"Allow","Action":"kms:*"}'],
  [
    '{"Effect":"Allow","Action":"s3:ListBucket","Resource":"arn:aws:s3:::*",' +
      '"Condition":{"NumericGreaterThanIfExists":{"s3:max-keys":"5"}}}',
  ],
])('a server of 2021 does not know %s', (text) => {
  expect(problemCodes(parsePolicy(statement(text), { dialect: 'minio-2021' }).errors)).toEqual(['NotSupportedByServer'])
  expect(parsePolicy(statement(text)).ok).toBe(true)
})

test('a policy of more than 20 KiB is refused before it is read', () => {
  const text = `${statement('{"Effect":"Allow","Action":"s3:*","Resource":"*"}')}${' '.repeat(20 * 1024)}`
  expect(problemCodes(parsePolicy(text).errors)).toEqual(['TooLarge'])
})

const policies: fc.Arbitrary<PolicyDocument> = fc.record({
  Version: fc.constant('2012-10-17'),
  Statement: fc.array(
    fc.record(
      {
        Sid: fc.string({ minLength: 1 }),
        Effect: fc.constantFrom('Allow' as const, 'Deny' as const),
        Action: fc.uniqueArray(fc.constantFrom(...[...ACTIONS.keys()].filter((name) => name.startsWith('s3:'))), {
          minLength: 1,
          maxLength: 4,
        }),
        Resource: fc.uniqueArray(
          fc
            .string({ minLength: 1 })
            .filter((text) => !text.startsWith('/'))
            .map((text) => `arn:aws:s3:::${text}`),
          { minLength: 1, maxLength: 3 },
        ),
        Condition: fc.record({
          StringLike: fc.record({ 'aws:username': fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }),
        }),
      },
      { requiredKeys: ['Effect', 'Action', 'Resource'] },
    ),
    { minLength: 1, maxLength: 4 },
  ),
})

test('a formatted policy parses to itself', () => {
  fc.assert(
    fc.property(policies, fc.constantFrom(0, 2), (policy, indent) => {
      const result = parsePolicy(formatPolicy(policy, { indent }))
      expect(result.errors).toEqual([])
      expect(result.ok && result.policy).toEqual(policy)
    }),
  )
})

test('parsing never throws, and reports a problem in every broken text', () => {
  const words = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', ' ', '1', '-', 'null', 'true', '"Version"', '"2012-10-17"'],
    ...['"Statement"', '"Effect"', '"Allow"', '"Action"', '"s3:*"', '"Resource"', '"*"', '"Condition"', '"Principal"'],
    ...CONDITION_OPERATORS.map((name) => `"${name}"`),
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.json(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      for (const result of [parsePolicy(text), parseBucketPolicy(text, 'b')]) {
        expect(result.ok).toBe(result.errors.length === 0)
        for (const problem of [...result.errors, ...result.warnings]) {
          expect(problem.offset).toBeGreaterThanOrEqual(0)
          expect(problem.end).toBeLessThanOrEqual(Math.max(text.length, problem.offset + 1))
          expect(problem.line).toBeGreaterThanOrEqual(1)
        }
      }
    }),
    { numRuns: 2000 },
  )
})
