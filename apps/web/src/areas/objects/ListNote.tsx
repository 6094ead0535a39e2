import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { replaceSearch } from '../../lib/navigation/navigate.ts'
import { formatCount } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { Rich } from '../../ui/Rich.tsx'
import css from './objects.module.css'

interface ListNoteProps {
  /** What keys must begin with, behind the folder. */
  starts: string
  filter: string
  sorted: boolean
  /** Entries that are there, and whether more are on the server. */
  loaded: number
  more: boolean
  /** Reads the next page; absent while one is being read. */
  onMore: (() => void) | undefined
}

/** Says what a filter or an order does not see, and offers the search that does: by the beginning of keys, on the server. */
export function ListNote({ starts, filter, sorted, loaded, more, onMore }: ListNoteProps) {
  const t = useT()
  const offer = filter !== '' && more
  if (starts === '' && !offer && !(sorted && more)) return null
  const n = formatCount(loaded)
  return (
    <div className={css.note} role="status">
      {starts !== '' && (
        <span className={css.starts}>
          <Rich
            text="Keys that begin with {{text}}"
            parts={{
              text: (
                <code>
                  <ObjectName name={starts} />
                </code>
              ),
            }}
          />
          <Button
            size="xs"
            variant="subtle"
            leftSection={<Icon of={IconX} size={14} />}
            onClick={() => replaceSearch({ starts: undefined })}
          >
            {t('Show all')}
          </Button>
        </span>
      )}
      {offer && (
        <>
          <span>{t('Searched in the {{n}} entries that are loaded; the folder has more.', { n })}</span>
          <Button size="xs" onClick={() => replaceSearch({ starts: filter, filter: undefined })}>
            <Rich
              text="List keys that begin with {{text}}"
              parts={{ text: <code className={css.gap}>{filter}</code> }}
            />
          </Button>
        </>
      )}
      {offer && (
        <Button size="xs" variant="subtle" disabled={!onMore} onClick={onMore}>
          {t('Search further')}
        </Button>
      )}
      {!offer && sorted && more && (
        <span>{t('Sorted among the {{n}} entries that are loaded; the folder has more.', { n })}</span>
      )}
    </div>
  )
}
