import { readChanged } from '../../lib/api/change.ts'
import { confirm } from '../../lib/feedback/confirm.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { formatList } from '../../lib/text/format.ts'
import { plural, t } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { plainName } from '../../lib/text/visible-name.ts'
import { jobs } from '../../transfers/transfers.ts'
import { deleteOne } from './deletions.ts'
import { countEntries, type Entry } from './entries.ts'
import { Key } from './Key.tsx'

interface Question {
  bucket: string
  entries: readonly Entry[]
  /** Whether the bucket has versioning; undefined if unknown. */
  versioned: boolean | undefined
  /** Called when the object is deleted, or when the job that deletes several has started. */
  onDone?: () => void
}

/** Deletes entries after confirmation: a single object while the dialog waits, folders and selections as a job in the tray. */
export function askDelete(question: Question) {
  const [only, ...others] = question.entries
  if (!only) return
  if (others.length > 0) askMany(question)
  else if (only.folder) askFolder(question, only)
  else askObject(question, only)
}

function askObject({ bucket, versioned, onDone }: Question, { key, name }: Entry) {
  confirm({
    title: t('Delete Object'),
    subject: plainName(name),
    body: (
      <>
        <Trans
          text="<name/> will be deleted from <bucket/>."
          parts={{ name: <Key name={key} />, bucket: <b>{bucket}</b> }}
        />{' '}
        <Consequence versioned={versioned} />
      </>
    ),
    action: t('Delete Object'),
    danger: true,
    async run() {
      await deleteOne(bucket, key)
      onDone?.()
      toast.ok(t("Object '{{name}}' deleted successfully.", { name: plainName(name) }))
      void readChanged('deleteObject')
    },
  })
}

function askFolder({ bucket, versioned, onDone }: Question, { key, name }: Entry) {
  confirm({
    title: t('Delete Folder'),
    subject: plainName(name),
    body: (
      <>
        <Trans
          text="Every object in the folder <name/> of <bucket/> and in all its subfolders will be deleted."
          parts={{ name: <Key name={key} />, bucket: <b>{bucket}</b> }}
        />{' '}
        <Consequence versioned={versioned} />
      </>
    ),
    action: t('Delete Folder'),
    danger: true,
    run: () => startJob(bucket, [key], onDone),
  })
}

function askMany({ bucket, entries, versioned, onDone }: Question) {
  const { folders, objects } = countEntries(entries)
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
        <Consequence versioned={versioned} />
      </>
    ),
    action: t('Delete Selected'),
    danger: true,
    run: () =>
      startJob(
        bucket,
        entries.map(({ key }) => key),
        onDone,
      ),
  })
}

async function startJob(bucket: string, paths: readonly string[], onDone: (() => void) | undefined) {
  jobs.start(bucket, { type: 'delete', paths })
  onDone?.()
}

/** Explains what the deletion does to the stored data. */
function Consequence({ versioned }: { versioned: boolean | undefined }) {
  if (versioned === undefined) return null
  return versioned
    ? t('The bucket keeps versions: a delete marker hides the object, its versions are kept.')
    : t('This cannot be undone.')
}
