import type { AccessExplanation, AccessSource } from '@stowage/contract'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { useSession } from '../../../lib/session/session.ts'
import { type Message, msg, type Translate, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { StatusIcon, type StatusIconState } from '../../../ui/icons/StatusIcon.tsx'
import css from './can-they.module.css'
import type { CanTheyQuestion } from './can-they-question.ts'
import { isLimitedByKey } from './policy-result.ts'

const DECISIONS = {
  allow: [msg('Allowed'), 'ok'],
  deny: [msg('Denied'), 'bad'],
  conditional: [msg('Depends'), 'unknown'],
} as const satisfies Record<AccessExplanation['decision'], readonly [Message, StatusIconState]>

export const decisionLabel = (decision: AccessExplanation['decision']): Message => DECISIONS[decision][0]

interface AccessDecisionProps {
  question: CanTheyQuestion
  answer: AccessExplanation
}

/** The decision and its reason, and below them what would change it. */
export function AccessDecision({ question, answer }: AccessDecisionProps) {
  const t = useT()
  const { decision, bucketPolicyUnread, asked, filtered } = answer
  const [word, state] = DECISIONS[decision]
  return (
    <section className={css.verdict} data-decision={decision} aria-label={t('Answer')} aria-live="polite">
      <h2 className={css.word}>
        <StatusIcon state={state}>{t(word)}</StatusIcon>
      </h2>
      <p>
        <DecisionReason question={question} answer={answer} />
      </p>
      {asked !== undefined && (
        <p className="ink-2">
          <Trans
            text="For a request that needs <action/>, the server asks for <asked/>, and that decides here."
            parts={{ action: <code>{question.action}</code>, asked: <code>{asked}</code> }}
          />
        </p>
      )}
      {filtered && (
        <p className="ink-2">
          {t('A list of buckets is answered all the same, with the buckets that they may list or locate.')}
        </p>
      )}
      {bucketPolicyUnread === 'denied' && (
        <p className="ink-2">{t('You may not read the policy of this bucket. It was not considered.')}</p>
      )}
      {bucketPolicyUnread === 'no-bucket' && <p className="ink-2">{t('This bucket does not exist.')}</p>}
    </section>
  )
}

function DecisionReason({ question: { action, name, who }, answer }: AccessDecisionProps) {
  const t = useT()
  const { decision, reason, decidedBy, sources, suspended, user = '' } = answer
  const parts = { action: <code>{answer.asked ?? action}</code> }
  const subject = who === 'anonymous' ? t('anonymous callers') : name
  const source = decidedBy && sources[decidedBy.source]
  if (source && decidedBy) {
    const of = {
      ...parts,
      policy: <PolicyName source={source} />,
      statement: <b>{statementName(t, source, decidedBy.statement)}</b>,
    }
    if (decision === 'deny')
      return (
        <Trans text="<policy/> denies <action/> here in <statement/>. A Deny always overrules an Allow." parts={of} />
      )
    if (decision === 'allow') return <Trans text="<policy/> allows <action/> here in <statement/>." parts={of} />
    if (reason !== 'unknown-parent' && reason !== 'unknown-groups')
      return (
        <Trans
          text="<policy/> decides about <action/> in <statement/>, and that depends on something that the question leaves open."
          parts={of}
        />
      )
  }
  switch (reason) {
    case 'owner':
      return t('The root user may do everything that no policy denies.')
    case 'suspended':
      return (
        <Trans
          text={
            suspended?.type === 'group'
              ? msg('The group <name/> is disabled, so its members may do nothing.')
              : msg('<name/> is disabled, so no policy applies.')
          }
          parts={{ name: <b>{suspended?.name}</b> }}
        />
      )
    case 'unknown-parent':
      return (
        <Trans
          text="The policy of the access key does not deny this. Whether <user/> may do it is unknown here, because it is not a user of the server itself."
          parts={{ user: <b>{user}</b> }}
        />
      )
    case 'unknown-groups':
      return (
        <Trans
          text="The groups of <user/> are unknown here, because only the directory has them. Their policies may allow or deny this."
          parts={{ user: <b>{user}</b> }}
        />
      )
    case 'no-policy':
      return <Trans text="There is no policy for <subject/>." parts={{ subject: <b>{subject}</b> }} />
    default:
      return isLimitedByKey(answer) ? (
        <Trans
          text="The policies of <user/> allow <action/> here, but the policy of the access key does not."
          parts={{ ...parts, user: <b>{user}</b> }}
        />
      ) : (
        <Trans text="No statement allows <action/> here. What is not allowed is denied." parts={parts} />
      )
  }
}

/** Returns `Statement 2`, or the statement's Sid. */
export function statementName(t: Translate, { statements }: AccessSource, index: number): string {
  return statements[index]?.sid ?? t('Statement {{n}}', { n: index + 1 })
}

/** The name of a policy, as a link if the user may open it. */
export function PolicyName({ source: { kind, name } }: { source: AccessSource }) {
  const t = useT()
  const { pages } = useSession()
  if (kind === 'bucket') return <Trans text="The policy of the bucket <name/>" parts={{ name: <b>{name}</b> }} />
  if (kind === 'embedded') return <Trans text="The policy of the access key <name/>" parts={{ name: <b>{name}</b> }} />
  if (kind === 'effective') return <Trans text="The effective policy of <name/>" parts={{ name: <b>{name}</b> }} />
  if (!pages.includes('/policies/:policyName')) return <b>{name}</b>
  return (
    <Link to={pathTo('/policies/$policy/json', { policy: name })} className="link" title={t('Open policy')}>
      {name}
    </Link>
  )
}
