import type { ObjectDetails } from '@stowage/contract'
import { useQueries } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { type QueryResult, resultView } from '../../../../lib/api/query-result.ts'
import { formatBytes, formatDateTime } from '../../../../lib/text/format.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { Dialog } from '../../../../ui/dialog/Dialog.tsx'
import modal from '../../../../ui/dialog/FormModal.module.css'
import { DialogTitle } from '../../../../ui/dialog/FormModal.tsx'
import { ErrorState, SlowNotice, useLongWait } from '../../../../ui/feedback/states.tsx'
import { contentAddress, isBinaryContent, PIECE_BYTES, readContentPiece } from '../../preview/read-content.ts'
import css from './compare.module.css'
import { arrangeSideBySide, diffLines } from './line-diff.ts'
import type { VersionRow } from './use-versions.ts'

interface CompareModalProps {
  bucket: string
  name: string
  /** The older version first. */
  versions: readonly [VersionRow, VersionRow]
  onClose: () => void
}

/** Stands for omitted lines that are equal. */
const OMITTED_LINES = '⋯'
/** The maximum number of rows that are rendered. */
const MAX_ROWS = 3000

/** The dialog that compares two versions: their properties and their text. */
export function CompareModal({ bucket, name, versions, onClose }: CompareModalProps) {
  const t = useT()
  const details = useQueries({
    queries: versions.map(({ name: key, version_id: id }) =>
      q('getObject', { params: { bucket }, query: { prefix: key, version_id: id } }),
    ),
  })
  const texts = useQueries({
    queries: versions.map(({ name: key, version_id: id, size }) => {
      const src = contentAddress(bucket, key, id)
      return {
        queryKey: ['compare', src] as const,
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          decodeText((await readContentPiece(src, 0, signal)).bytes),
        enabled: size <= PIECE_BYTES,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 0,
        retry: false,
      }
    }),
  })
  const large = versions.some(({ size }) => size > PIECE_BYTES)
  return (
    <Dialog
      onClose={onClose}
      size={1100}
      title={<DialogTitle title={t('Compare Versions')} subject={plainName(name)} />}
    >
      <div className={modal.body}>
        <BothVersions reads={details}>{(left, right) => <FactsComparison left={left} right={right} />}</BothVersions>
        {large ? (
          <p className={css.note}>{t('Text of up to 1 MiB is compared.')}</p>
        ) : (
          <BothVersions reads={texts}>{(left, right) => <TextComparison left={left} right={right} />}</BothVersions>
        )}
      </div>
    </Dialog>
  )
}

/** Returns the text; undefined if the content is binary. */
function decodeText(bytes: Uint8Array): { text: string | undefined } {
  return { text: isBinaryContent(bytes) ? undefined : new TextDecoder().decode(bytes) }
}

interface BothVersionsProps<T> {
  reads: readonly (QueryResult<T> & { isPending: boolean })[]
  children: (left: T, right: T) => React.ReactNode
}

function BothVersions<T>({ reads, children }: BothVersionsProps<T>) {
  const views = reads.map((read) => resultView(read))
  const loading = views.some(({ state }) => state === 'loading')
  const late = useLongWait(loading)
  const failed = views.findIndex(({ state }) => state === 'failed')
  const [failure, read] = [views[failed], reads[failed]]
  if (failure?.state === 'failed') return <ErrorState error={failure.failure} onRetry={read?.refetch} />
  const [left, right] = views
  if (loading || !left || !right || !('data' in left) || !('data' in right)) return late ? <SlowNotice /> : null
  return children(left.data, right.data)
}

function FactsComparison({ left, right }: { left: ObjectDetails; right: ObjectDetails }) {
  const t = useT()
  const of = (one: ObjectDetails): Map<string, string> =>
    new Map([
      [t('Version ID'), one.version_id ?? ''],
      [t('Last Modified'), formatDateTime(one.last_modified)],
      [t('Size'), formatBytes(one.size)],
      ['ETag', one.etag ?? ''],
      ['content-type', one.content_type],
      ...Object.entries(one.headers),
      ...prefixNames('x-amz-meta-', one.user_metadata),
      [t('Storage class'), one.storage_class],
      ...prefixNames(`${t('Tag')} `, one.tags ?? {}),
      [t('Legal hold'), one.legal_hold_status ?? ''],
      [t('Retention'), [one.retention_mode, one.retention_until_date].filter(Boolean).join(' ')],
    ])
  const [before, after] = [of(left), of(right)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return (
    <div className={css.scroll}>
      <table className={css.facts}>
        <thead>
          <tr>
            <th>{t('Name')}</th>
            <th>{t('Older version')}</th>
            <th>{t('Newer version')}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const [one = '', other = ''] = [before.get(name), after.get(name)]
            if (one === '' && other === '') return null
            return (
              <tr key={name} data-changed={one !== other || undefined}>
                <th scope="row">{plainName(name)}</th>
                <td>{plainName(one)}</td>
                <td>{plainName(other)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const prefixNames = (prefix: string, map: Readonly<Record<string, string>>) =>
  Object.entries(map).map(([name, value]): [string, string] => [`${prefix}${name}`, value])

function TextComparison({
  left,
  right,
}: {
  left: ReturnType<typeof decodeText>
  right: ReturnType<typeof decodeText>
}) {
  const t = useT()
  if (left.text === undefined || right.text === undefined)
    return <p className={css.note}>{t('The content is not text, so it is not compared.')}</p>
  if (left.text === right.text) return <p className={css.note}>{t('The content is the same.')}</p>
  const rows = arrangeSideBySide(diffLines(left.text, right.text))
  return (
    <section className={css.scroll} aria-label={t('Text')}>
      <table className={css.text}>
        <colgroup>
          <col className={css.number} />
          <col />
          <col className={css.number} />
          <col />
        </colgroup>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) =>
            row === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
              <tr key={index} className={css.fold}>
                <td colSpan={4}>{OMITTED_LINES}</td>
              </tr>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
              <tr key={index} data-same={row.left === row.right || undefined}>
                <td className={css.number}>{row.left?.left}</td>
                <td data-kind={row.left?.kind}>{row.left?.text}</td>
                <td className={css.number}>{row.right?.right}</td>
                <td data-kind={row.right?.kind}>{row.right?.text}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p className={css.note}>{t('The first {{count}} rows are shown.', { count: MAX_ROWS })}</p>
      )}
    </section>
  )
}
