import {
  type ComboboxItem,
  type ComboboxParsedItem,
  isOptionsGroup,
  type OptionsFilter,
  TagsInput,
} from '@mantine/core'
import { ACTIONS, type Dialect, operationsNeeding, toActionName } from '@stowage/iam-policy'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { actionDescriptions } from './action-descriptions.ts'
import css from './workbench.module.css'

/** The number of suggestions that are shown. */
const SHOWN = 200

interface ActionsFieldProps {
  label: string
  dialect: Dialect
  value: readonly string[]
  disabled: boolean
  onChange: (actions: string[]) => void
}

/**
 * The field for a statement's actions. Suggestions are searched by name, description and the operations that need them, and
 * grouped by service; patterns such
 * as `s3:Get*` can be typed.
 */
export function ActionsField({ label, dialect, value, disabled, onChange }: ActionsFieldProps) {
  const t = useT()
  return (
    <TagsInput
      label={label}
      placeholder={value.length === 0 ? t('Search actions, or enter a pattern') : ''}
      classNames={{ pill: css.pill ?? '' }}
      data={actionGroups(dialect)}
      limit={SHOWN}
      maxDropdownHeight={320}
      value={[...value]}
      disabled={disabled}
      filter={byDescription(t)}
      renderOption={({ option }) => (
        <span className={css.option}>
          <code>{option.value}</code>
          <span className="ink-3" title={actionOperations(option.value)}>
            {actionDescription(t, option.value)}
          </span>
        </span>
      )}
      onChange={onChange}
    />
  )
}

function actionDescription(t: Translate, action: string): string {
  const name = toActionName(action)
  const text = name && actionDescriptions[name]
  return text === undefined ? '' : t(text)
}

/** Returns the operations of S3 that need an action, as one text; empty if there are none, or only the one of that name. */
function actionOperations(action: string): string {
  const name = toActionName(action)
  const operations = name === undefined ? [] : operationsNeeding(name)
  return operations.every((operation) => `s3:${operation}` === action) ? '' : operations.join(', ')
}

/** Returns the actions that the connected server supports, with the wildcard of each service first. */
function actionGroups(dialect: Dialect) {
  const known = [...ACTIONS.values()].filter(({ servers }) => servers.includes(dialect))
  const services = [...new Set(known.map(({ family }) => family))]
  return services.map((service) => ({
    group: service,
    items: [
      ...(service === 'sts' ? [] : [`${service}:*`]),
      ...known.flatMap(({ family, name }) => (family === service ? [name] : [])).sort(),
    ],
  }))
}

const byDescription =
  (t: Translate): OptionsFilter =>
  ({ options, search, limit }) => {
    const wanted = search.trim().toLowerCase()
    const matches = ({ value }: ComboboxItem) =>
      [value, actionDescription(t, value), actionOperations(value)].some((text) => text.toLowerCase().includes(wanted))
    let left = limit
    const take = (items: ComboboxItem[]) => {
      const found = items.filter(matches).slice(0, left)
      left -= found.length
      return found
    }
    return options.flatMap((option): ComboboxParsedItem[] => {
      if (!isOptionsGroup(option)) return take([option])
      const items = take(option.items as ComboboxItem[])
      return items.length > 0 ? [{ ...option, items }] : []
    })
  }
