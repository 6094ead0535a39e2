import { NativeSelect } from '@mantine/core'
import { useT } from '../../../../lib/text/i18n.ts'
import { SwitchField } from '../../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../../ui/form/TextField.tsx'
import css from '../../tenants.module.css'
import { type DraftSizeUnit, UNIT_BYTES } from '../draft/tenant-draft.ts'
import { ADD_ONS, type AddOn, IMAGE_FIELDS, REGISTRY_FIELDS } from '../draft/wizard-fields.ts'
import { WizardFields, type WizardStepProps } from '../fields/WizardFields.tsx'

type ConfigureStepProps = WizardStepProps & { classes: readonly { name: string }[] }

type SwitchKey = {
  [K in keyof WizardStepProps['draft']['configure']]: WizardStepProps['draft']['configure'][K] extends boolean
    ? K
    : never
}[keyof WizardStepProps['draft']['configure']]

/** The step for images, registry, and exposed services. */
export function ConfigureStep({ draft: { configure, nameTenant }, set, problems, classes }: ConfigureStepProps) {
  const t = useT()
  const change = (part: Partial<typeof configure>) => set('configure', part)
  const toggle = (label: string, key: SwitchKey) => (
    <SwitchField
      label={label}
      checked={configure[key]}
      onChange={(event) => change({ [key]: event.currentTarget.checked })}
    />
  )
  return (
    <>
      {toggle(t('Use custom image'), 'customImage')}
      {configure.customImage && (
        <div className={css.group}>
          <WizardFields fields={IMAGE_FIELDS} values={configure} problems={problems} onChange={change} />
          {toggle(t('Set Custom Image Registry'), 'customDockerhub')}
          {configure.customDockerhub && (
            <WizardFields fields={REGISTRY_FIELDS} values={configure} problems={problems} onChange={change} />
          )}
        </div>
      )}
      {toggle(t('Expose MinIO Service'), 'exposeMinIO')}
      {toggle(t('Expose Console Service'), 'exposeConsole')}
      {ADD_ONS.map((override) => (
        <div key={override.custom} className={css.stack}>
          <SwitchField
            label={t(override.label)}
            checked={configure[override.custom]}
            onChange={(event) =>
              change({
                [override.custom]: event.currentTarget.checked,
                [override.storageClass]: configure[override.storageClass] || nameTenant.selectedStorageClass,
              })
            }
          />
          {configure[override.custom] && (
            <AddOnFields override={override} {...{ configure, change, problems, classes }} />
          )}
        </div>
      ))}
    </>
  )
}

interface AddOnFieldsProps {
  override: AddOn
  configure: WizardStepProps['draft']['configure']
  change: (part: Partial<WizardStepProps['draft']['configure']>) => void
  problems: WizardStepProps['problems']
  classes: readonly { name: string }[]
}

function AddOnFields({ override, configure, change, problems, classes }: AddOnFieldsProps) {
  const t = useT()
  const { storageClass, size, sizeFactor, images } = override
  return (
    <div className={css.group}>
      <div className={css.fields}>
        <NativeSelect
          label={t('Storage Class')}
          data={[{ value: '', label: t('Choose one') }, ...classes.map(({ name }) => ({ value: name, label: name }))]}
          value={configure[storageClass]}
          error={problems[storageClass]}
          onChange={(event) => change({ [storageClass]: event.currentTarget.value })}
        />
        <div className={css.sized}>
          <TextField
            label={t('Volume Size')}
            inputMode="numeric"
            value={configure[size]}
            error={problems[size]}
            onChange={(event) => change({ [size]: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('Unit')}
            data={Object.keys(UNIT_BYTES)}
            value={configure[sizeFactor]}
            onChange={(event) => change({ [sizeFactor]: event.currentTarget.value as DraftSizeUnit })}
          />
        </div>
      </div>
      <WizardFields fields={images} values={configure} problems={problems} onChange={change} />
    </div>
  )
}
