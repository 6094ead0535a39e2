import type { AccessExplanation, AccessSource, StatementReport } from '@stowage/contract'
import { formatPolicy, policyFromJson } from '@stowage/iam-policy'
import { useState } from 'react'
import { reasonText } from '../../../lib/api/api-failure.ts'
import { cx } from '../../../lib/cx.ts'
import { plural, type Translate, useT } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadable } from '../../../ui/lazy/loadable.tsx'
import { statementLines } from '../editor/statement-lines.ts'
import { AccessDecision, statementName } from './AccessDecision.tsx'
import css from './can-they.module.css'
import type { CanTheyQuestion } from './can-they-question.ts'
import { policyResult } from './policy-result.ts'
import { WaysToAllow } from './WaysToAllow.tsx'

const JsonEditor = loadable(async () => (await import('../../../ui/code/JsonEditor.tsx')).JsonEditor)

interface AccessAnswerProps {
  question: CanTheyQuestion
  answer: AccessExplanation
}

/** The decision, all policies that were evaluated, and the text of the selected policy (initially the deciding one). */
export function AccessAnswer({ question, answer }: AccessAnswerProps) {
  const t = useT()
  const { sources, decidedBy } = answer
  const [chosen, setChosen] = useState(decidedBy?.source ?? 0)
  const source = sources[chosen]
  return (
    <>
      <div className={css.answer}>
        <AccessDecision question={question} answer={answer} />
        {sources.length > 0 && (
          <section aria-label={t('How it was decided')}>
            <div className={css.sourcesHead}>
              <h2 className="strong">{t('How it was decided')}</h2>
              <span className="ink-3">
                {t(plural('{{count}} policy evaluated', '{{count}} policies evaluated'), { count: sources.length })}
              </span>
            </div>
            <ul className={css.sources}>
              {sources.map((one, index) => (
                <li key={`${one.kind} ${one.name}`}>
                  <SourceRow
                    source={one}
                    decides={decidedBy?.source === index}
                    overruled={answer.decision === 'deny' && decidedBy !== undefined && decidedBy.source !== index}
                    chosen={chosen === index}
                    onChoose={() => setChosen(index)}
                  />
                </li>
              ))}
            </ul>
          </section>
        )}
        <WaysToAllow question={question} answer={answer} />
      </div>
      {source && (
        <SourceText source={source} decides={decidedBy?.source === chosen ? decidedBy.statement : undefined} />
      )}
    </>
  )
}

interface SourceRowProps {
  source: AccessSource
  decides: boolean
  /** Whether another policy denies the action, regardless of this one. */
  overruled: boolean
  chosen: boolean
  onChoose: () => void
}

function SourceRow({ source, decides, overruled, chosen, onChoose }: SourceRowProps) {
  const t = useT()
  const { state, word, statement } = policyResult(source)
  return (
    <button type="button" className={cx(css.source, chosen && css.chosen)} aria-pressed={chosen} onClick={onChoose}>
      <StatusIcon state={state}>{t(word)}</StatusIcon>
      <span className={css.name}>
        <b>{source.name}</b> <span className="ink-3">{viaText(t, source)}</span>
      </span>
      <span className="ink-2">
        {statement ? statementReason(statement) : !source.found && t('The policy does not exist.')}
      </span>
      <span className={decides ? 'strong' : 'ink-3'}>
        {decides ? t('Decides') : overruled && state === 'ok' ? t('Overruled') : ''}
      </span>
    </button>
  )
}

const statementReason = ({ reason, because }: StatementReport) => reasonText(reason) ?? because

/** Describes how the policy applies to the subject. */
function viaText(t: Translate, { kind, direct, groups }: AccessSource): string {
  if (kind === 'bucket') return t('Bucket policy')
  if (kind === 'embedded') return t('of the access key')
  if (kind === 'effective') return t('effective policy')
  const via = groups.length > 0 ? t('by group {{groups}}', { groups: groups.join(', ') }) : ''
  return [direct ? t('direct') : '', via].filter((text) => text !== '').join(', ')
}

/** The text of a policy with the deciding statement highlighted, and the result of each statement. */
function SourceText({ source, decides }: { source: AccessSource; decides: number | undefined }) {
  const t = useT()
  const text = formatPolicy(policyFromJson(source.policy), { indent: 2 })
  const marked = decides === undefined ? undefined : statementLines(text)[decides]
  return (
    <section className={css.text} aria-label={source.name}>
      <div className={css.textHead}>
        <span>
          <b>{source.name}</b> <span className="ink-3">{viaText(t, source)}</span>
        </span>
        {marked && (
          <StatusIcon state="run">
            {t('Lines {{from}} to {{to}} decide', { from: marked.from, to: marked.to })}
          </StatusIcon>
        )}
      </div>
      <JsonEditor label={source.name} hideLabel tall readOnly value={text} marked={marked} />
      <dl className={css.reports}>
        {source.statements.map((statement) => (
          <div key={statement.index}>
            <dt>{statementName(t, source, statement.index)}</dt>
            <dd>{statementReason(statement)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
