import { type BucketStatement, bucketPolicyFromJson } from '@stowage/iam-policy'
import { t } from '../../../lib/text/i18n.ts'

/** A statement of a bucket policy, as a table row. */
export interface PolicyGrant {
  /** The statement ID, or its index in the policy. */
  id: string
  effect: string
  principals: string
  actions: string
  resources: string
  condition: string
}

/** Lists the permissions that a bucket policy grants or denies. @param policy as JSON, or empty */
export function listPolicyGrants(policy: string): PolicyGrant[] {
  if (policy === '') return []
  return bucketPolicyFromJson(JSON.parse(policy)).Statement.map((statement, index) => {
    const {
      Sid,
      Effect,
      Principal,
      Action = [],
      NotAction = [],
      Resource = [],
      NotResource = [],
      Condition,
    } = statement
    const all = (texts: readonly string[], others: readonly string[]) =>
      [...texts, ...others.map((text) => t('not {{text}}', { text }))].join(', ')
    return {
      id: Sid ? `${index} ${Sid}` : String(index),
      effect: Effect,
      principals: Principal.AWS.join() === '*' ? t('Everyone') : Principal.AWS.join(', '),
      actions: all(Action, NotAction),
      resources: all(Resource, NotResource).replaceAll('arn:aws:s3:::', ''),
      condition: conditionText(Condition),
    }
  })
}

function conditionText(condition: BucketStatement['Condition']): string {
  const tests = Object.entries(condition ?? {}).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => `${operator} ${key}: ${[values].flat().join(', ')}`),
  )
  return tests.join('; ')
}
