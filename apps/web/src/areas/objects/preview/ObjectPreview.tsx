import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiFailure } from '../../../lib/api/api-failure.ts'
import { readChanged } from '../../../lib/changes/change.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { ErrorState, SlowNotice, useLongWait } from '../../../ui/feedback/states.tsx'
import css from '../styles/object-detail.module.css'
import { formatJson } from './format-json.ts'
import { Markdown } from './Markdown.tsx'
import { MAX_MARKDOWN } from './parse-markdown.ts'
import { type PreviewKind, parseCsvRows } from './preview-kind.ts'
import { contentAddress, isBinaryContent, PIECE_BYTES, readContentPiece } from './read-content.ts'

interface ObjectPreviewProps {
  bucket: string
  objectKey: string
  name: string
  versionId: string | undefined
  /** Bytes. */
  size: number
  /** The content is read again if this has changed. */
  etag?: string | undefined
  kind: PreviewKind
}

/** A preview of an object. No content is executed: images and media are loaded as such, and text is shown as plain text. */
export function ObjectPreview({ kind, ...rest }: ObjectPreviewProps) {
  const t = useT()
  const [failed, setFailed] = useState(false)
  const { bucket, objectKey, name, versionId } = rest
  const src = contentAddress(bucket, objectKey, versionId)
  const label = plainName(name)
  const onError = () => setFailed(true)
  if (failed || kind === 'none')
    return <p className={css.hint}>{t("File couldn't be loaded. Please try Download instead")}</p>
  switch (kind) {
    case 'image':
      return <img className={css.media} src={src} alt={label} onError={onError} />
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: stored media have no separate captions
      return <audio className={css.media} src={src} aria-label={label} controls onError={onError} />
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: stored media have no separate captions
      return <video className={css.media} src={src} aria-label={label} controls onError={onError} />
    case 'document':
      return <iframe className={css.document} src={src} title={label} onError={onError} />
    default:
      return <TextPreview {...rest} src={src} kind={kind} onBinary={onError} />
  }
}

/** Where a piece begins, and the ETag of the pieces before it. */
interface NextPiece {
  from: number
  etag: string | undefined
}

const FIRST_PIECE: NextPiece = { from: 0, etag: undefined }

interface TextPreviewProps extends Omit<ObjectPreviewProps, 'kind' | 'size'> {
  src: string
  kind: 'text' | 'json' | 'markdown' | 'table'
  /** Called if the content turns out not to be text. */
  onBinary: () => void
}

function TextPreview({ src, etag, kind, onBinary }: TextPreviewProps) {
  const t = useT()
  const query = useInfiniteQuery({
    queryKey: ['preview', src, etag] as const,
    initialPageParam: FIRST_PIECE,
    queryFn: ({ pageParam, signal }) => readContentPiece(src, pageParam.from, signal, pageParam.etag),
    // The object may have changed since its size was listed: what was read decides.
    getNextPageParam: ({ total, etag: read }, pages): NextPiece | undefined => {
      const from = pages.length * PIECE_BYTES
      return from < total ? { from, etag: read } : undefined
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const late = useLongWait(query.isPending)
  if (late && query.isPending) return <SlowNotice />
  if (!query.data) return query.error === null ? null : <ErrorState error={query.error} onRetry={query.refetch} />
  const bytes = joinPieces(query.data.pages.map((piece) => piece.bytes))
  const size = query.data.pages[0]?.total ?? bytes.length
  if (isBinaryContent(bytes)) {
    queueMicrotask(onBinary)
    return null
  }
  const text = new TextDecoder().decode(bytes)
  const formatted = formattedText(kind, text, size)
  const source = (
    <pre
      className={css.text}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        const near = scrollTop + 2 * clientHeight >= scrollHeight
        if (near && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage()
      }}
    >
      {text}
    </pre>
  )
  const replaced = query.error instanceof ApiFailure && query.error.status === 412
  return (
    <>
      {kind === 'table' ? (
        <CsvTable rows={parseCsvRows(text)} />
      ) : formatted === undefined ? (
        source
      ) : (
        <TwoViews formatted={formatted} source={source} />
      )}
      {replaced && (
        <div className={css.foot} role="alert">
          {t('The object was replaced after it was opened.')}{' '}
          <Button size="xs" onClick={() => void readChanged('setObjectText')}>
            {t('Show the new content')}
          </Button>
        </div>
      )}
      {query.hasNextPage && !replaced && (
        <div className={css.foot}>
          {t('{{part}} of {{size}} are shown.', { part: formatSize(bytes.length), size: formatSize(size) })}{' '}
          <Button size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('Show more')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Returns a text with its format applied; undefined if it has none, or is too long for that. */
function formattedText(kind: TextPreviewProps['kind'], text: string, size: number): ReactNode {
  if (kind === 'markdown' && size <= MAX_MARKDOWN) return <Markdown text={text} />
  const json = kind === 'json' && size <= PIECE_BYTES ? formatJson(text) : undefined
  return json === undefined ? undefined : <pre className={css.text}>{json}</pre>
}

/** A text, formatted or as it is written. */
function TwoViews({ formatted, source }: { formatted: ReactNode; source: ReactNode }) {
  const t = useT()
  const [view, setView] = useState<'formatted' | 'source'>('formatted')
  return (
    <>
      <SegmentedControl
        size="xs"
        mb={8}
        aria-label={t('View')}
        data={[
          { value: 'formatted', label: t('Formatted') },
          { value: 'source', label: t('Source') },
        ]}
        value={view}
        onChange={setView}
      />
      {view === 'formatted' ? formatted : source}
    </>
  )
}

function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

function CsvTable({ rows }: { rows: string[][] }) {
  const [head = [], ...body] = rows
  return (
    <div className={css.sheet}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position
              <th key={index}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
