import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import css from '../../tenants.module.css'

/** Lists the fields that are possible at a position of the tenant's YAML, from the cluster's schema. */
export function YamlFields({ path }: { path: readonly string[] }) {
  const t = useT()
  const fieldPath = path.join('.')
  const { data } = useQuery({
    ...q('listTenantFields', { query: fieldPath === '' ? {} : { path: fieldPath } }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  if (!data?.known || data.fields.length === 0) return null
  return (
    <section className={css.hints} aria-label={t('Fields')}>
      <h3>{fieldPath === '' ? t('Fields of a tenant') : t('Fields of {{path}}', { path: fieldPath })}</h3>
      <dl>
        {data.fields.map(({ name, type, description, required, values }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className="ink-2">{type}</span>
              {required && <span className="ink-2"> {t('required')}</span>}
            </dt>
            {(description !== '' || values.length > 0) && (
              <dd>
                {description} {values.join(', ')}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}
