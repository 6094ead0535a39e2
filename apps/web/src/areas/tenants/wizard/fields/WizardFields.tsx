import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useT } from '../../../../lib/text/i18n.ts'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import css from '../../tenants.module.css'
import type { FieldProblems } from '../draft/draft-problems.ts'
import type { DraftSection, TenantDraft } from '../draft/tenant-draft.ts'
import type { WizardField } from '../draft/wizard-fields.ts'
import { StepField } from './StepField.tsx'

/** The properties of each step: the draft, a function to change a section of it, and the problems of the step. */
export interface WizardStepProps {
  draft: TenantDraft
  set: <S extends DraftSection>(section: S, part: Partial<TenantDraft[S]>) => void
  problems: FieldProblems
}

interface WizardFieldsProps<K extends string> {
  fields: readonly WizardField<K>[]
  values: Readonly<Record<K, string>>
  problems: FieldProblems
  onChange: (part: Partial<Record<K, string>>) => void
}

/** Declared fields, in two columns. */
export function WizardFields<K extends string>({ fields, values, problems, onChange }: WizardFieldsProps<K>) {
  const t = useT()
  return (
    <div className={css.fields}>
      {fields.map(({ key, label, required, secret, number, image }) => (
        <StepField
          key={key}
          label={t(label)}
          required={required}
          type={secret ? 'password' : 'text'}
          {...(number ? { inputMode: 'numeric' as const } : {})}
          {...(image ? { placeholder: image } : {})}
          value={values[key]}
          error={problems[key]}
          onChange={(event) => onChange({ [key]: event.currentTarget.value } as Partial<Record<K, string>>)}
        />
      ))}
    </div>
  )
}

interface TextColumn {
  label: string
  /** One value for each row. */
  values: readonly string[]
  /** The prefix of the keys of its problems: `name.0`. */
  name?: string
  required?: boolean
}

interface TextRowsProps {
  columns: readonly TextColumn[]
  add: string
  problems?: FieldProblems
  /** Returns the texts of a new row. */
  make?: () => string[]
  onChange: (columns: string[][]) => void
}

/** Rows with one or more text fields, which can be added and removed. At least one row remains. */
export function TextRows({ columns, add, problems = {}, make, onChange }: TextRowsProps) {
  const t = useT()
  const length = columns[0]?.values.length ?? 0
  const change = (edit: (values: string[], column: number) => string[]) =>
    onChange(columns.map(({ values }, column) => edit([...values], column)))
  return (
    <>
      {Array.from({ length }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
        <div key={row} className={css.row}>
          {columns.map(({ label, values, name, required }, column) => (
            <div key={label} className={css.cell}>
              <StepField
                label={label}
                required={required}
                value={values[row] ?? ''}
                error={problems[`${name}.${row}`]}
                onChange={(event) => {
                  const text = event.currentTarget.value
                  change((old, at) => (at === column ? old.with(row, text) : old))
                }}
              />
            </div>
          ))}
          <ActionIcon
            className={css.remove ?? ''}
            aria-label={t('Remove')}
            disabled={length === 1}
            onClick={() => change((old) => old.toSpliced(row, 1))}
          >
            <Icon of={IconTrash} />
          </ActionIcon>
        </div>
      ))}
      <AddRowButton
        label={add}
        onClick={() => {
          const made = make?.()
          change((old, column) => [...old, made?.[column] ?? ''])
        }}
      />
    </>
  )
}

/** The button that adds a row. */
export function AddRowButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button size="xs" leftSection={<Icon of={IconPlus} />} onClick={onClick}>
        {label}
      </Button>
    </div>
  )
}
