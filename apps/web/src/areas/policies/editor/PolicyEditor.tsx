import type { ParseOptions } from '@stowage/iam-policy'
import { useMemo } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { formatBytes } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { JsonEditor, type JsonEditorProps } from '../../../ui/code/JsonEditor.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { policyProblems } from './policy-problems.ts'

interface PolicyEditorProps extends Omit<JsonEditorProps, 'lint' | 'hint'> {
  purpose?: ParseOptions['purpose']
  /** The bucket, for a bucket policy; undefined for a policy of users. */
  bucket?: string
}

/** A JSON editor for a policy that checks the text, while the user types, by the rules of the connected server. */
export function PolicyEditor({ purpose = 'policy', bucket, ...editor }: PolicyEditorProps) {
  const { capabilities } = useSession()
  const lint = (text: string) =>
    policyProblems(text, capabilities, purpose, bucket).map(({ offset, end, severity, message }) => ({
      from: Math.min(offset, text.length),
      to: Math.min(Math.max(end, offset), text.length),
      severity,
      message,
    }))
  const problems = useMemo(
    () => policyProblems(editor.value, capabilities, purpose, bucket),
    [editor.value, capabilities, purpose, bucket],
  )
  return (
    <JsonEditor
      {...editor}
      lint={lint}
      hint={<PolicyProblems problems={problems} bytes={new TextEncoder().encode(editor.value).length} />}
    />
  )
}

/** The number of problems that are listed below the editor. */
const MAX_SHOWN_PROBLEMS = 3

function PolicyProblems({ problems, bytes }: { problems: ReturnType<typeof policyProblems>; bytes: number }) {
  const t = useT()
  if (bytes === 0) return null
  const errors = problems.filter(({ severity }) => severity === 'error').length
  return (
    <>
      {errors === 0 ? (
        <span>
          <StatusIcon state="ok">{t('Valid')}</StatusIcon> {formatBytes(bytes)}
        </span>
      ) : (
        <StatusIcon state="bad">{t(plural('{{count}} error', '{{count}} errors'), { count: errors })}</StatusIcon>
      )}
      {problems.slice(0, MAX_SHOWN_PROBLEMS).map(({ line, column, path, message, severity }) => (
        <span key={`${line}:${column}:${message}`}>
          {severity === 'warning' && <StatusIcon state="warn" />}{' '}
          {t('Line {{line}}: {{problem}}', {
            line: String(line),
            problem: path === '' ? message : `${path}: ${message}`,
          })}
        </span>
      ))}
    </>
  )
}
