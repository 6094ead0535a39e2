import { Button } from '@mantine/core'
import type { PolicyDocument } from '@stowage/iam-policy'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { PolicyEditor } from '../editor/PolicyEditor.tsx'
import { policyDialect, policyProblems } from '../editor/policy-problems.ts'
import { statementLines } from '../editor/statement-lines.ts'
import { readDocument, withNewStatement, withoutStatement, withStatement, writeDocument } from './policy-document.ts'
import { StatementCard } from './StatementCard.tsx'
import css from './workbench.module.css'

interface PolicyWorkbenchProps {
  /** The label of the JSON editor. */
  label: string
  hideLabel?: boolean
  tall?: boolean
  /** The policy as JSON text, which may be incomplete. */
  value: string
  onChange: (text: string) => void
}

/**
 * A form and a JSON editor for a policy, side by side. The text is authoritative: the form shows its statements, and a change
 * in the form rewrites the text. While the text is not valid JSON, the form shows the previous statements, disabled.
 */
export function PolicyWorkbench({ value, onChange, ...editor }: PolicyWorkbenchProps) {
  const t = useT()
  const { capabilities } = useSession()
  const [open, setOpen] = useState(0)
  const read = readDocument(value)
  const last = useRef<PolicyDocument>(read ?? { Version: '', Statement: [] })
  if (read) last.current = read
  const document = last.current
  const problems = policyProblems(value, capabilities)
  const write = (next: PolicyDocument) => onChange(writeDocument(next))
  return (
    <div className={css.frame}>
      <div className={css.workbench}>
        <section className={css.form} aria-label={t('Statements')}>
          <div className={css.formHead}>
            <h3 className="strong">{t('Statements')}</h3>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<Icon of={IconPlus} size={14} />}
              disabled={!read}
              onClick={() => {
                write(withNewStatement(document))
                setOpen(document.Statement.length)
              }}
            >
              {t('Add statement')}
            </Button>
          </div>
          {!read && (
            <p className={css.problem} role="status">
              <StatusIcon state="warn" /> {t('The JSON is not valid yet. The form is updated as soon as it is.')}
            </p>
          )}
          {document.Statement.map((statement, index) => (
            <StatementCard
              // biome-ignore lint/suspicious/noArrayIndexKey: statements have no other identity
              key={index}
              index={index}
              statement={statement}
              dialect={policyDialect(capabilities)}
              problems={read ? problems.filter(({ path }) => isWithin(path, index)) : []}
              open={open === index}
              disabled={!read}
              onOpen={() => setOpen(open === index ? -1 : index)}
              onChange={(next) => write(withStatement(document, index, next))}
              onRemove={() => write(withoutStatement(document, index))}
            />
          ))}
        </section>
        <div className={css.json}>
          <PolicyEditor {...editor} value={value} marked={statementLines(value)[open]} onChange={onChange} />
        </div>
      </div>
    </div>
  )
}

/**
 * Reports whether a problem is in this statement. Its path is `Statement[2].Effect`, or `Statement` if the policy has no list.
 */
const isWithin = (path: string, index: number) =>
  new RegExp(`^Statement(\\[${index}\\]|${index === 0 ? '(?!\\[)' : '(?!)'})`).test(path)
