import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { formatSize } from '../../../../lib/text/format.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { QueryView } from '../../../../ui/feedback/QueryView.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import css from '../../tenants.module.css'
import type { ClusterFacts } from '../draft/cluster-facts.ts'
import { createTenantBody } from '../draft/create-tenant-body.ts'
import { draftYaml, kubectlManifest } from '../draft/draft-exports.ts'
import { totalBytes } from '../draft/draft-sizing.ts'
import type { TenantDraft } from '../draft/tenant-draft.ts'
import { FactList } from '../fields/FactList.tsx'

/** The step that shows what will be created: a summary, and every object as YAML. */
export function PreviewStep({ draft, facts }: { draft: TenantDraft; facts: ClusterFacts }) {
  const t = useT()
  // The result is not cached, because the draft contains keys.
  const query = useQuery({ ...q('previewTenant', { body: createTenantBody(draft, facts) }), gcTime: 0 })
  const { nameTenant, configure, advancedModeOn, security, tenantSize } = draft
  const rows = [
    [t('Tenant Name'), nameTenant.tenantName],
    ...(advancedModeOn && configure.customImage ? [[t('MinIO Image'), configure.imageName] as const] : []),
    ...(nameTenant.namespace ? [[t('Namespace'), nameTenant.namespace] as const] : []),
    [t('Storage Class'), nameTenant.selectedStorageClass],
    [t('Total Size'), formatSize(totalBytes(tenantSize))],
    ...(advancedModeOn ? [[t('TLS'), security.enableTLS ? t('Enabled') : t('Disabled')] as const] : []),
  ] as const
  return (
    <>
      <FactList label={t('Preview Configuration')} rows={rows} />
      <QueryView query={query}>{({ objects }) => <PreviewObjects objects={objects} draft={draft} />}</QueryView>
    </>
  )
}

function PreviewObjects({ objects, draft }: { objects: Output<'previewTenant'>['objects']; draft: TenantDraft }) {
  const t = useT()
  const name = draft.nameTenant.tenantName
  const save = (file: string, text: string) => saveFile(file, text, 'application/yaml')
  return (
    <>
      {objects
        .filter(({ problem }) => problem !== '')
        .map(({ kind, name: object, problem }) => (
          <Banner key={object} kind="warn" title={`${kind} ${object}`}>
            {problem}
          </Banner>
        ))}
      <div className={css.row}>
        <h3 className={css.title}>{t('Objects')}</h3>
        <Button
          size="xs"
          leftSection={<Icon of={IconDownload} />}
          onClick={() =>
            save(
              `${name}.yaml`,
              kubectlManifest(objects, t('The values of secrets are left out. Enter them before you apply this file.')),
            )
          }
        >
          {t('Download for kubectl')}
        </Button>
        <Button
          size="xs"
          leftSection={<Icon of={IconDownload} />}
          onClick={() => save(`${name}-answers.yaml`, draftYaml(draft))}
        >
          {t('Download Answers')}
        </Button>
      </div>
      {objects.map(({ kind, name: object, yaml }) => (
        <details key={`${kind}/${object}`} className={css.object}>
          <summary>
            {kind} <code>{object}</code>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
          <pre className={css.yaml} tabIndex={0}>
            {yaml}
          </pre>
        </details>
      ))}
    </>
  )
}
