import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ArchiveMember } from '@stowage/contract'
import { IconDownload, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../../lib/api/query.ts'
import { formatSize } from '../../../../lib/text/format.ts'
import { plural, useT } from '../../../../lib/text/i18n.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { downloadArchiveMember } from '../../../../transfers/downloads.ts'
import { Disabled } from '../../../../ui/controls/Disabled.tsx'
import { QueryView } from '../../../../ui/feedback/QueryView.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { ObjectName } from '../../../../ui/values/ObjectName.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import css from '../../styles/object-detail.module.css'
import { memberRefusalTexts } from './zip-archive.ts'

interface ContentsTabProps {
  bucket: string
  objectKey: string
  versionId: string | undefined
}

/** A search is sent after a pause in typing of this length (ms). */
const PAUSE_MS = 300

/** Lists the files in a zip archive. Each can be downloaded individually. */
export function ContentsTab({ bucket, objectKey, versionId }: ContentsTabProps) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const version = { prefix: objectKey, ...(versionId === undefined ? {} : { version_id: versionId }) }
  const query = useQuery({
    ...q('listArchive', { params: { bucket }, query: { ...version, search } }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <>
      <div className={css.tools}>
        <TextInput
          className="grow"
          leftSection={<Icon of={IconSearch} />}
          placeholder={t('Search in the archive')}
          aria-label={t('Search in the archive')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <QueryView query={query} needs={{ action: 's3:GetObject', bucket, prefix: objectKey }}>
        {({ members, total }) => (
          <>
            <ul className={css.versions} aria-label={t('Contents')}>
              {members.map((member, index) => (
                <MemberItem
                  // biome-ignore lint/suspicious/noArrayIndexKey: an archive can have two members with the same name
                  key={index}
                  member={member}
                  onDownload={() => downloadArchiveMember(bucket, version, member.name)}
                />
              ))}
            </ul>
            <div className={css.foot}>
              {members.length < total
                ? t('The first {{part}} of {{total}} entries are shown. Search to find others.', {
                    part: members.length,
                    total,
                  })
                : search !== '' && total === 0
                  ? t('No entry has such a name.')
                  : t(plural('{{count}} entry', '{{count}} entries'), { count: total })}
            </div>
          </>
        )}
      </QueryView>
    </>
  )
}

function MemberItem({ member, onDownload }: { member: ArchiveMember; onDownload: () => Promise<void> }) {
  const t = useT()
  const { name, size, modified, refused } = member
  const folder = name.endsWith('/')
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    await onDownload()
    setBusy(false)
  }
  return (
    <li className={css.version}>
      <div className={css.versionText}>
        <code className={css.member} title={plainName(name)}>
          <ObjectName name={name} />
        </code>
        <div className={css.note}>
          {!folder && formatSize(size)}
          {modified !== undefined && (
            <>
              {!folder && ', '}
              <Time at={modified} exact />
            </>
          )}
        </div>
      </div>
      {!folder && (
        <Disabled reason={refused && t(memberRefusalTexts[refused])} label={t('Download')}>
          <ActionIcon
            loading={busy}
            aria-label={t('Download {{name}}', { name: plainName(name) })}
            onClick={() => void download()}
          >
            <Icon of={IconDownload} />
          </ActionIcon>
        </Disabled>
      )}
    </li>
  )
}
