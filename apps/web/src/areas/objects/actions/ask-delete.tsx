import { readChanged } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { formatList } from '../../../lib/text/format.ts'
import { plural, t } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { plainName } from '../../../lib/text/visible-name.ts'
import { transferJobs } from '../../../transfers/transfers.ts'
import { countFolderEntries, type FolderEntry } from '../entries/folder-entries.ts'
import { KeyCode } from '../entries/KeyCode.tsx'
import { deleteSingleObject } from './delete-object.ts'

interface DeleteQuestion {
  bucket: string
  entries: readonly FolderEntry[]
  /** Whether the bucket has versioning; undefined if unknown. */
  versioned: boolean | undefined
  /** Called when the object is deleted, or when the job that deletes several has started. */
  onDone?: () => void
}

/** Deletes entries after confirmation: a single object while the dialog waits, folders and selections as a job in the tray. */
export function askDeleteEntries(question: DeleteQuestion) {
  const [only, ...others] = question.entries
  if (!only) return
  if (others.length > 0) askDeleteMany(question)
  else if (only.folder) askDeleteFolder(question, only)
  else askDeleteObject(question, only)
}

function askDeleteObject({ bucket, versioned, onDone }: DeleteQuestion, { key, name }: FolderEntry) {
  confirm({
    title: t('Delete Object'),
    subject: plainName(name),
    body: (
      <>
        <Trans
          text="<name/> will be deleted from <bucket/>."
          parts={{ name: <KeyCode name={key} />, bucket: <b>{bucket}</b> }}
        />{' '}
        <DeleteConsequence versioned={versioned} />
      </>
    ),
    action: t('Delete Object'),
    danger: true,
    async run() {
      await deleteSingleObject(bucket, key)
      onDone?.()
      toast.ok(t("Object '{{name}}' deleted successfully.", { name: plainName(name) }))
      void readChanged('deleteObject')
    },
  })
}

function askDeleteFolder({ bucket, versioned, onDone }: DeleteQuestion, { key, name }: FolderEntry) {
  confirm({
    title: t('Delete Folder'),
    subject: plainName(name),
    body: (
      <>
        <Trans
          text="Every object in the folder <name/> of <bucket/> and in all its subfolders will be deleted."
          parts={{ name: <KeyCode name={key} />, bucket: <b>{bucket}</b> }}
        />{' '}
        <DeleteConsequence versioned={versioned} />
      </>
    ),
    action: t('Delete Folder'),
    danger: true,
    run: () => startDeleteJob(bucket, [key], onDone),
  })
}

function askDeleteMany({ bucket, entries, versioned, onDone }: DeleteQuestion) {
  const { folders, objects } = countFolderEntries(entries)
  const parts = [
    ...(objects > 0 ? [t(plural('{{count}} object', '{{count}} objects'), { count: objects })] : []),
    ...(folders > 0
      ? [
          t(plural('{{count}} folder with all its content', '{{count}} folders with all their content'), {
            count: folders,
          }),
        ]
      : []),
  ]
  confirm({
    title: t('Delete Selected'),
    body: (
      <>
        <Trans
          text="Will be deleted from <bucket/>: <b>{{what}}</b>."
          values={{ what: formatList(parts) }}
          parts={{ bucket: <b>{bucket}</b>, b: <b /> }}
        />{' '}
        <DeleteConsequence versioned={versioned} />
      </>
    ),
    action: t('Delete Selected'),
    danger: true,
    run: () =>
      startDeleteJob(
        bucket,
        entries.map(({ key }) => key),
        onDone,
      ),
  })
}

async function startDeleteJob(bucket: string, paths: readonly string[], onDone: (() => void) | undefined) {
  transferJobs.start(bucket, { type: 'delete', paths })
  onDone?.()
}

/** Explains what the deletion does to the stored data. */
function DeleteConsequence({ versioned }: { versioned: boolean | undefined }) {
  if (versioned === undefined) return null
  return versioned
    ? t('The bucket keeps versions: a delete marker hides the object, its versions are kept.')
    : t('This cannot be undone.')
}
