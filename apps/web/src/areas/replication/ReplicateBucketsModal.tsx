import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { useChange } from '../../lib/changes/change.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { type AssignmentResult, BucketAssignments } from './BucketAssignments.tsx'
import {
  newTargetValues,
  RemoteServerFields,
  remoteServerRules,
  TransferModeFields,
  targetBody,
  targetCredentials,
  targetHost,
  transferModeRules,
} from './remote-target-form.tsx'

interface ReplicateBucketsModalProps {
  buckets: readonly string[]
  onClose: () => void
  /** Called when all buckets are replicated. */
  onDone: () => void
}

/** How long a successful bucket is shown before it leaves the list (ms). */
const SEEN_MS = 500

/** The dialog to replicate several buckets to another server: first the server, then a target bucket for each. */
export function ReplicateBucketsModal({ buckets, onClose, onDone }: ReplicateBucketsModalProps) {
  const t = useT()
  const [remote, setRemote] = useState<string[]>()
  const [left, setLeft] = useState(buckets)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, AssignmentResult>>(new Map())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const isSecond = remote !== undefined
  const form = useForm({
    initialValues: { ...newTargetValues, assigned: {} as Record<string, string> },
    validate: isSecond ? transferModeRules(t) : remoteServerRules(t),
    validateInputOnBlur: true,
  })
  const { assigned } = form.values

  const next = useChange('listExternalBuckets', {
    onDone: (answer) => setRemote(answer.buckets.map(({ name }) => name)),
  })
  const create = useChange('setReplication', {
    onDone: ({ replicationState }) => {
      const seen = new Map(replicationState.map((state) => [state.originBucket, assignmentResult(state)]))
      const failed = left.filter((bucket) => seen.get(bucket)?.error !== undefined)
      if (failed.length === 0) {
        toast.ok(
          t(plural('{{count}} bucket is replicated', '{{count}} buckets are replicated'), { count: left.length }),
        )
        onDone()
        return
      }
      setOutcomes(seen)
      timer.current = setTimeout(() => setLeft(failed), SEEN_MS)
    },
  })

  return (
    <FormModal
      wide={isSecond}
      title={isSecond ? t('Buckets Assignation') : t('Remote Configuration')}
      form={form}
      change={isSecond ? create : next}
      fields={{ healthCheckPeriod: 'healthCheck' }}
      onClose={onClose}
      submit={isSecond ? t('Create') : t('Next')}
      ready={!isSecond || left.every((bucket) => (assigned[bucket] ?? '').trim() !== '')}
      extra={
        isSecond && (
          <Button variant="subtle" disabled={create.isPending} onClick={() => setRemote(undefined)}>
            {t('Back')}
          </Button>
        )
      }
      onSubmit={(values) => {
        if (!isSecond) {
          const { targetURL, useTLS } = values
          next.run({ body: { ...targetCredentials(values), targetURL: targetHost(targetURL), useTLS } })
          return
        }
        setOutcomes(new Map())
        const bucketsRelation = left.map((originBucket) => ({
          originBucket,
          destinationBucket: (assigned[originBucket] ?? '').trim(),
        }))
        create.run({ body: { ...targetBody(values), bucketsRelation, create_only: true } })
      }}
    >
      {isSecond ? (
        <>
          {remote.length === 0 && (
            <Banner kind="info">
              {t(
                'No bucket of the other server is listed for this access key. Enter the names of buckets that exist there.',
              )}
            </Banner>
          )}
          <BucketAssignments
            buckets={left}
            remote={remote}
            assigned={assigned}
            outcomes={outcomes}
            onAssign={(bucket, to) => form.setFieldValue('assigned', { ...assigned, [bucket]: to })}
          />
          <TransferModeFields form={form} />
        </>
      ) : (
        <RemoteServerFields form={form} />
      )}
    </FormModal>
  )
}

type ReplicationState = Output<'setReplication'>['replicationState'][number]

const assignmentResult = ({ errorString }: ReplicationState): AssignmentResult => ({ error: errorString })
