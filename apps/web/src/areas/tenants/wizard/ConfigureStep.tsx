import { NativeSelect } from '@mantine/core'
import { useT } from '../../../lib/text/i18n.ts'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import css from '../tenants.module.css'
import { UNITS, type Unit } from './draft.ts'
import { Fields, type StepProps } from './Fields.tsx'
import { IMAGES, OVERRIDES, type Override, REGISTRY } from './fields.ts'

type ConfigureProps = StepProps & { classes: readonly { name: string }[] }

type Switch = {
  [K in keyof StepProps['draft']['configure']]: StepProps['draft']['configure'][K] extends boolean ? K : never
}[keyof StepProps['draft']['configure']]

/** The step for images, registry, and exposed services. */
export function ConfigureStep({ draft: { configure, nameTenant }, set, problems, classes }: ConfigureProps) {
  const t = useT()
  const change = (part: Partial<typeof configure>) => set('configure', part)
  const toggle = (label: string, key: Switch) => (
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
          <Fields fields={IMAGES} values={configure} problems={problems} onChange={change} />
          {toggle(t('Set Custom Image Registry'), 'customDockerhub')}
          {configure.customDockerhub && (
            <Fields fields={REGISTRY} values={configure} problems={problems} onChange={change} />
          )}
        </div>
      )}
      {toggle(t('Expose MinIO Service'), 'exposeMinIO')}
      {toggle(t('Expose Console Service'), 'exposeConsole')}
      {OVERRIDES.map((override) => (
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
            <OverrideFields override={override} {...{ configure, change, problems, classes }} />
          )}
        </div>
      ))}
    </>
  )
}

interface OverrideProps {
  override: Override
  configure: StepProps['draft']['configure']
  change: (part: Partial<StepProps['draft']['configure']>) => void
  problems: StepProps['problems']
  classes: readonly { name: string }[]
}

function OverrideFields({ override, configure, change, problems, classes }: OverrideProps) {
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
            data={Object.keys(UNITS)}
            value={configure[sizeFactor]}
            onChange={(event) => change({ [sizeFactor]: event.currentTarget.value as Unit })}
          />
        </div>
      </div>
      <Fields fields={images} values={configure} problems={problems} onChange={change} />
    </div>
  )
}
