import { Button, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConflictingValue } from '../../../../lib/api/fresh-read.ts'
import { q } from '../../../../lib/api/query.ts'
import { useChange } from '../../../../lib/changes/change.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { whileBusy } from '../../../../ui/controls/while-busy.tsx'
import { FormError, FormModal } from '../../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { QueryView } from '../../../../ui/feedback/QueryView.tsx'
import css from '../../tenants.module.css'
import { YamlFields } from './YamlFields.tsx'
import { yamlPathAt } from './yaml-path.ts'

interface TenantYamlModalProps {
  namespace: string
  tenant: string
  onClose: () => void
}

/** The dialog to edit a tenant's labels, annotations and specification as YAML. */
export function TenantYamlModal({ namespace, tenant, onClose }: TenantYamlModalProps) {
  const params = { namespace, tenant }
  // Read only once: the text must not change while the user edits it.
  const query = useQuery({ ...q('getTenantYaml', { params }), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  return (
    <QueryView query={query}>
      {({ yaml, resourceVersion }) => (
        <YamlEditor params={params} yaml={yaml} resourceVersion={resourceVersion} onClose={onClose} />
      )}
    </QueryView>
  )
}

interface YamlEditorProps {
  params: { namespace: string; tenant: string }
  yaml: string
  resourceVersion: string
  onClose: () => void
}

function YamlEditor({ params, yaml, resourceVersion, onClose }: YamlEditorProps) {
  const t = useT()
  const form = useForm({ initialValues: { yaml } })
  const [fieldPath, setPlace] = useState<readonly string[]>([])
  const follow = ({ value, selectionStart }: HTMLTextAreaElement) => setPlace(yamlPathAt(value, selectionStart))
  const save = useChange('updateTenantYaml', {
    onDone: onClose,
    message: () => t('{{name}} updated', { name: params.tenant }),
  })
  const theirs = useConflictingValue('getTenantYaml', { params }, save.error?.status === 409)
  const dry = useChange('updateTenantYaml', { message: () => t('The API server would accept it') })
  const of = theirs?.resourceVersion ?? resourceVersion
  const isBlank = form.values.yaml.trim() === ''
  return (
    <FormModal
      title={t('YAML')}
      subject={params.tenant}
      wide
      form={form}
      change={save}
      onClose={onClose}
      ready={!isBlank}
      onSubmit={(values) => save.run({ params, body: { yaml: values.yaml, resourceVersion: of } })}
    >
      <div className={css.row}>
        <Button
          size="xs"
          {...whileBusy(dry.isPending)}
          disabled={isBlank}
          onClick={() => dry.run({ params, body: { yaml: form.values.yaml, dryRun: true } })}
        >
          {t('Check')}
        </Button>
        <Button size="xs" onClick={() => saveFile(`${params.tenant}.yaml`, form.values.yaml, 'application/yaml')}>
          {t('Export')}
        </Button>
      </div>
      {dry.error && <FormError error={dry.error} />}
      {theirs && (
        <Banner kind="warn">
          {t('Copy what you need from the other version. Saving then replaces it with yours.')}
        </Banner>
      )}
      <div className={theirs ? css.tables : undefined}>
        <Textarea
          label={t('Tenant Specification')}
          rows={24}
          spellCheck={false}
          data-autofocus
          styles={MONO}
          {...form.getInputProps('yaml')}
          onKeyUp={({ currentTarget }) => follow(currentTarget)}
          onClick={({ currentTarget }) => follow(currentTarget)}
        />
        {theirs && (
          <Textarea label={t('As it is now')} rows={24} spellCheck={false} readOnly styles={MONO} value={theirs.yaml} />
        )}
      </div>
      <YamlFields path={fieldPath} />
    </FormModal>
  )
}

const MONO = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12, height: '45vh' } }
