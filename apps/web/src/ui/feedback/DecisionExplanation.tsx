import type { PermissionReport, StatementReport } from '@stowage/contract'
import { reasonText } from '../../lib/api/api-failure.ts'
import { type Message, msg, plural, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { StatusIcon, type StatusIconState } from '../icons/StatusIcon.tsx'
import css from './AccessDenied.module.css'

/** The caller's policies, statement by statement, with the result of each, and at the end the default denial. */
export function DecisionExplanation({ why }: { why: PermissionReport }) {
  const t = useT()
  return (
    <section className={css.decided} aria-label={t('How it was decided')}>
      <h2 className={css.heading}>{t('How it was decided')}</h2>
      <p className={css.note}>
        {t('The server reports the policies of a user and its groups as a single policy; these are its statements.')}
      </p>
      <ul className={css.statements}>
        {why.statements.map((statement) => (
          <Statement key={statement.index} statement={statement} />
        ))}
        {why.reason !== 'statement' && (
          <li className={css.statement}>
            <StatusIcon state="bad">{t('Denied')}</StatusIcon>
            <span className={css.name}>{t('Default')}</span>
            <span className="ink-2">{t('No statement allows the action, so it is denied by default.')}</span>
          </li>
        )}
      </ul>
    </section>
  )
}

function Statement({
  statement: { index, sid, effect, matched, because, reason, actions, resources },
}: {
  statement: StatementReport
}) {
  const t = useT()
  const [state, word] = statementResult(matched, effect)
  const what = <CodeList texts={actions} />
  return (
    <li className={css.statement}>
      <StatusIcon state={state}>{t(word)}</StatusIcon>
      <span className={css.name}>{sid ?? t('Statement {{n}}', { n: index + 1 })}</span>
      <span className="ink-2">
        {resources.length > 0 ? (
          <Trans
            text={
              effect === 'Allow' ? msg('allows <actions/> on <resources/>') : msg('denies <actions/> on <resources/>')
            }
            parts={{
              actions: what,
              resources: <CodeList texts={resources} />,
            }}
          />
        ) : (
          <Trans
            text={effect === 'Allow' ? msg('allows <actions/>') : msg('denies <actions/>')}
            parts={{ actions: what }}
          />
        )}
        <span className={css.because}>{reasonText(reason) ?? because}</span>
      </span>
    </li>
  )
}

function statementResult(
  matched: StatementReport['matched'],
  effect: StatementReport['effect'],
): [StatusIconState, Message] {
  if (matched === 'no') return ['off', msg('No match')]
  if (matched === 'depends') return ['unknown', msg('Depends')]
  return effect === 'Allow' ? ['ok', msg('Allowed')] : ['bad', msg('Denied')]
}

/** Actions or resources of a statement; of a long list only the first few. */
function CodeList({ texts }: { texts: readonly string[] }) {
  const t = useT()
  const more = texts.length - MAX_NAMES
  return (
    <>
      {texts.slice(0, MAX_NAMES).map((text, i) => (
        <span key={text}>
          {i > 0 && ', '}
          <code>{text}</code>
        </span>
      ))}
      {more > 0 && ` ${t(plural('and {{count}} more', 'and {{count}} more'), { count: more })}`}
    </>
  )
}

const MAX_NAMES = 6
