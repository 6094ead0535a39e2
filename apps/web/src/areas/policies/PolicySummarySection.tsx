import { type PolicyDocument, policyFromJson } from '@stowage/iam-policy'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useT } from '../../lib/text/i18n.ts'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import { EmptyState } from '../../ui/feedback/states.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import css from './policies.module.css'
import { conditionLines, conditionText } from './workbench/policy-document.ts'

/** Shows what a policy allows and denies, statement by statement. */
export function PolicySummarySection({ policy: name }: { policy: string }) {
  const t = useT()
  const query = useQuery(q('getPolicy', { query: { name } }))
  return (
    <QueryView query={query} needs={{ action: 'admin:GetPolicy' }}>
      {({ policy }) => {
        const { Statement } = policyFromJson(policy)
        if (Statement.length === 0) return <EmptyState title={t('The policy has no statements. It allows nothing.')} />
        return Statement.map((statement, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: statements have no other identity
          <StatementView key={index} number={index + 1} statement={statement} />
        ))
      }}
    </QueryView>
  )
}

type Statement = PolicyDocument['Statement'][number]

function StatementView({ number, statement }: { number: number; statement: Statement }) {
  const t = useT()
  const { Sid, Effect, Action = [], NotAction = [], Resource = [], NotResource = [] } = statement
  const name = Sid ?? t('Statement {{number}}', { number: String(number) })
  return (
    <section className={css.statement} aria-label={name}>
      <div className={css.effect}>
        <StatusIcon state={Effect === 'Allow' ? 'ok' : 'bad'}>{Effect === 'Allow' ? t('Allow') : t('Deny')}</StatusIcon>
        <h2 className="strong">{name}</h2>
      </div>
      <dl className={css.parts}>
        <StatementPart label={t('Effect')} items={[Effect]} />
        <StatementPart label={t('Actions')} items={Action} />
        <StatementPart label={t('All actions but')} items={NotAction} />
        <StatementPart label={t('Resources')} items={Resource} />
        <StatementPart label={t('All resources but')} items={NotResource} />
        <StatementPart label={t('Conditions')} items={conditionLines(statement).map(conditionText)} />
      </dl>
    </section>
  )
}

function StatementPart({ label, items }: { label: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <ul>
          {items.map((item) => (
            <li key={item}>
              <code>{item}</code>
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}
