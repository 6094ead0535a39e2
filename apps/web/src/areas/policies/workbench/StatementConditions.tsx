import { ACTIONS, CONDITION_OPERATORS, type Statement } from '@stowage/iam-policy'
import { ConditionsField } from '../conditions/ConditionsField.tsx'
import { conditionLines, conditionText, withCondition, withoutCondition } from './policy-document.ts'

interface StatementConditionsProps {
  statement: Statement
  disabled: boolean
  onChange: (statement: Statement) => void
}

/** The most common operator first: it is the default. */
const OPERATORS = [...new Set(['StringEquals', ...CONDITION_OPERATORS])]

/**
 * The field for a statement's conditions. Adding a value to an existing condition adds an alternative; removing removes all
 * values.
 */
export function StatementConditions({ statement, disabled, onChange }: StatementConditionsProps) {
  const lines = conditionLines(statement)
  return (
    <ConditionsField
      texts={lines.map(conditionText)}
      disabled={disabled}
      operators={OPERATORS}
      keys={supportedConditionKeys(statement)}
      onAdd={({ operator, key, value }) => onChange(withCondition(statement, operator, key, value))}
      onRemove={(index) => {
        const line = lines[index]
        if (line) onChange(withoutCondition(statement, line.operator, line.key))
      }}
    />
  )
}

/** Returns the condition keys that all known actions of a statement support. Patterns such as `s3:Get*` are ignored. */
function supportedConditionKeys({ Action = [] }: Statement): string[] {
  const known = Action.flatMap((action) => ACTIONS.get(action)?.conditionKeys ?? [])
  const [first = ACTIONS.get('s3:ListBucket')?.conditionKeys ?? new Set<string>(), ...others] = known
  return [...first].filter((key) => others.every((keys) => keys.has(key))).sort()
}
