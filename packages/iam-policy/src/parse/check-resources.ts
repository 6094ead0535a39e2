import type { ActionFamily } from '../actions/catalogue.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { KMS_ARN, S3_ARN } from '../match/match-resource.ts'
import type { ProblemCollector } from './problems.ts'
import type { LocatedText } from './read-members.ts'

/** Checks the syntax of resources. Admin and sts statements ignore them, but servers refuse an invalid one there too. */
export function checkResources(
  resources: readonly LocatedText[],
  family: ActionFamily,
  dialect: Dialect,
  problems: ProblemCollector,
): void {
  for (const { text, node, path } of resources) {
    const wrong = resourceProblem(text, family, dialect)
    if (wrong) problems.error('InvalidResource', node, path, `"${text}" ${wrong}`)
  }
}

function resourceProblem(text: string, family: ActionFamily, dialect: Dialect): string | undefined {
  const { since2025 } = DIALECTS[dialect]
  if (text === '*') return since2025 ? undefined : `is not known to this server; write "${S3_ARN}*"`
  if (text.startsWith(S3_ARN)) {
    if (family === 'kms') return `names a bucket; kms actions have resources such as "${KMS_ARN}my-key"`
    return s3ResourceProblem(text.slice(S3_ARN.length))
  }
  if (text.startsWith(KMS_ARN)) {
    if (!since2025) return 'is not known to this server'
    if (family === 's3') return `names a kms key; s3 actions have resources such as "${S3_ARN}bucket/*"`
    return kmsResourceProblem(text.slice(KMS_ARN.length))
  }
  const example = family === 'kms' ? `${KMS_ARN}my-key` : `${S3_ARN}bucket/*`
  return `is not a resource; it has to be "*" or start like "${example}"`
}

function s3ResourceProblem(pattern: string): string | undefined {
  if (pattern === '') return `names no bucket; write "${S3_ARN}*" for all`
  return pattern.startsWith('/') ? 'matches no bucket: take the "/" after ":::" away' : undefined
}

function kmsResourceProblem(pattern: string): string | undefined {
  if (pattern === '') return `names no key; write "${KMS_ARN}*" for all`
  return /[/\\.]/.test(pattern) ? 'has a "/", "\\" or "." in the name of the key' : undefined
}
