import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { replaceSearch } from '../../../lib/navigation/navigate.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { filterParam } from '../../../ui/table/use-filter.ts'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { ENTRIES_TABLE } from '../entries/list-params.ts'
import css from '../styles/objects.module.css'

interface ListNoteProps {
  /** The text that keys must begin with, after the folder's prefix. */
  starts: string
  filter: string
  sorted: boolean
  /** The number of loaded entries, and whether the server has more. */
  loaded: number
  more: boolean
  /** Loads the next page; undefined while one is loading. */
  onMore: (() => void) | undefined
}

/** Warns that a filter or sort order applies to loaded entries only, and offers a server-side search by key prefix. */
export function ListNote({ starts, filter, sorted, loaded, more, onMore }: ListNoteProps) {
  const t = useT()
  const offer = filter !== '' && more
  if (starts === '' && !offer && !(sorted && more)) return null
  return (
    <div className={css.note} role="status">
      {starts !== '' && (
        <span className={css.starts}>
          <Trans
            text="Keys that start with <text/>"
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
          <span>
            {t(
              plural(
                'Searched only the {{count}} loaded entry. The folder has more.',
                'Searched only the {{count}} loaded entries. The folder has more.',
              ),
              { count: loaded },
            )}
          </span>
          <Button size="xs" onClick={() => replaceSearch({ starts: filter, [filterParam(ENTRIES_TABLE)]: undefined })}>
            <Trans
              text="List keys that start with <text/>"
              parts={{ text: <code className={css.gap}>{filter}</code> }}
            />
          </Button>
        </>
      )}
      {offer && (
        <Button size="xs" variant="subtle" disabled={!onMore} onClick={onMore}>
          {t('Search more entries')}
        </Button>
      )}
      {!offer && sorted && more && (
        <span>
          {t(
            plural(
              'Sorted only the {{count}} loaded entry. The folder has more.',
              'Sorted only the {{count}} loaded entries. The folder has more.',
            ),
            { count: loaded },
          )}
        </span>
      )}
    </div>
  )
}
