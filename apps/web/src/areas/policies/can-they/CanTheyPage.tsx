import { Button } from '@mantine/core'
import type { AccessExplanation } from '@stowage/contract'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { q } from '../../../lib/api/query.ts'
import { useCopy } from '../../../lib/clipboard.ts'
import { replaceSearch } from '../../../lib/navigation/navigate.ts'
import { useSession } from '../../../lib/session/session.ts'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { Crumbs } from '../../../ui/page/Crumbs.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { AccessAnswer } from './AccessAnswer.tsx'
import { decisionLabel } from './AccessDecision.tsx'
import css from './can-they.module.css'
import { type CanTheyQuestion, explainAccessBody, parseQuestion, questionSearch } from './can-they-question.ts'
import { QuestionForm, questionConditionText } from './QuestionForm.tsx'

/** The page that shows whether somebody may perform an action, and which statement decides. The question is in the URL. */
export function CanTheyPage() {
  const t = useT()
  const { user = '', pages } = useSession()
  const search = useLocation({ select: (place) => place.search as Record<string, string | undefined> })
  const question = parseQuestion(search, user)
  const body = explainAccessBody(question)
  const query = useQuery({
    ...q('explainAccess', { body: body ?? { subject: { type: 'anonymous' }, action: '' } }),
    enabled: body !== undefined,
    // Always refetch, because policies may have changed.
    staleTime: 0,
  })
  const ask = (next: CanTheyQuestion) =>
    replaceSearch({
      who: undefined,
      name: undefined,
      action: undefined,
      resource: undefined,
      if: undefined,
      ...questionSearch(next),
    })
  return (
    <Page
      facts={<span>{t('Asks the policies of the storage server. Sends no request as the user.')}</span>}
      // Without the right to open the list of policies, the breadcrumb does not link to it.
      {...(pages.includes('/policies') ? {} : { crumbs: <Crumbs items={[{ label: t('Can they?') }]} /> })}
      actions={query.data && <CopyAnswer text={answerText(t, question, query.data)} />}
    >
      <div className={css.panes}>
        <QuestionForm question={question} onChange={ask} />
        {body === undefined ? (
          <div className={css.answer}>
            <EmptyState title={t('Choose an action')}>
              {t('Then the policies that allow or deny it are listed here.')}
            </EmptyState>
          </div>
        ) : (
          <QueryView query={query} needs={{ action: 'admin:GetUser' }}>
            {(answer) => <AccessAnswer key={query.dataUpdatedAt} question={question} answer={answer} />}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

/** Returns the question and its answer as text, for pasting into an email. */
function answerText(
  t: Translate,
  { who, name, action, resource, conditions }: CanTheyQuestion,
  answer: AccessExplanation,
) {
  const { decidedBy, sources } = answer
  const source = decidedBy && sources[decidedBy.source]
  const statement = source?.statements[decidedBy?.statement ?? -1]
  const lines = [
    [t('Who'), who === 'anonymous' ? t('Anonymous') : name],
    [t('Action'), action],
    [t('Resource'), resource],
    [t('Conditions'), conditions.map((condition) => questionConditionText(t, condition)).join(', ')],
    [t('Decision'), t(decisionLabel(answer.decision))],
    [t('Policy'), source?.name ?? ''],
    [t('Statement'), statement?.sid ?? (statement ? String(statement.index + 1) : '')],
  ] as const
  return lines
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n')
}

function CopyAnswer({ text }: { text: string }) {
  const t = useT()
  const clipboard = useCopy()
  return (
    <Button leftSection={<Icon of={clipboard.copied ? IconCheck : IconCopy} />} onClick={() => clipboard.copy(text)}>
      {clipboard.failed ? t('Copying is not allowed here') : clipboard.copied ? t('Copied') : t('Copy answer')}
    </Button>
  )
}
