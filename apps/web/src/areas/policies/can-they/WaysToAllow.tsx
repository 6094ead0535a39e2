import type { AccessExplanation } from '@stowage/contract'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { statementName } from './AccessDecision.tsx'
import css from './can-they.module.css'
import type { CanTheyQuestion } from './can-they-question.ts'
import { isLimitedByKey } from './policy-result.ts'

/** Lists changes that would allow the denied action; each one is sufficient. */
export function WaysToAllow({ question, answer }: { question: CanTheyQuestion; answer: AccessExplanation }) {
  const t = useT()
  const ways = useWaysToAllow(question, answer)
  if (answer.decision !== 'deny' || ways.length === 0) return null
  return (
    <section className={css.missing} aria-label={t('What is missing')}>
      <h2 className="strong">{t('What is missing')}</h2>
      <ul>
        {ways.map(([id, way]) => (
          <li key={id}>{way}</li>
        ))}
      </ul>
    </section>
  )
}

function useWaysToAllow(
  { action, resource, who, name }: CanTheyQuestion,
  answer: AccessExplanation,
): [string, ReactNode][] {
  const t = useT()
  const { reason, decidedBy, sources, suspended } = answer
  const what = {
    action: <code>{answer.asked ?? action}</code>,
    resource: <code>{resource === '' ? '*' : resource}</code>,
  }
  if (reason === 'suspended')
    return [['enable', <Trans key="enable" text="Enable <name/>." parts={{ name: <b>{suspended?.name}</b> }} />]]
  const source = decidedBy && sources[decidedBy.source]
  if (source) {
    const narrow = (
      <Trans
        key="narrow"
        text="Change <statement/> of <policy/> so that it does not match <resource/>."
        parts={{
          resource: what.resource,
          statement: <b>{statementName(t, source, decidedBy.statement)}</b>,
          policy: <b>{source.name}</b>,
        }}
      />
    )
    const leave = source.kind === 'policy' && !source.direct && (
      <Trans
        key="leave"
        text="Remove <name/> from the group <group/>. It then loses all other rights of that group as well."
        parts={{ name: <b>{name}</b>, group: <b>{source.groups.join(', ')}</b> }}
      />
    )
    return [['narrow', narrow], ...(leave ? [['leave', leave] as [string, ReactNode]] : [])]
  }
  if (isLimitedByKey(answer))
    return [
      ['key', <Trans key="key" text="Allow <action/> on <resource/> in the policy of the access key." parts={what} />],
    ]
  if (who === 'anonymous')
    return [
      [
        'bucket',
        <Trans
          key="bucket"
          text="Allow <action/> on <resource/> to everyone in the policy of the bucket."
          parts={what}
        />,
      ],
    ]
  return [
    [
      'attach',
      <Trans
        key="attach"
        text="Attach a policy to <name/> that allows <action/> on <resource/>."
        parts={{ ...what, name: <b>{answer.user ?? name}</b> }}
      />,
    ],
  ]
}
