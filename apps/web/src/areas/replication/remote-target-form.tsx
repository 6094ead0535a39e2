import type { UseFormReturnType } from '@mantine/form'
import { GiB } from '@stowage/contract'
import { MIN_BANDWIDTH } from '@stowage/contract/replication/min-bandwidth'
import { type Translate, useT } from '../../lib/text/i18n.ts'
import { requiredText } from '../../lib/text/required-field.ts'
import { SegmentField } from '../../ui/form/SegmentField.tsx'
import { SizeInput } from '../../ui/form/SizeInput.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import css from './replication.module.css'

/** The server to replicate to. */
export interface RemoteServerValues {
  accessKey: string
  secretKey: string
  /** Without a scheme. */
  targetURL: string
  region: string
  useTLS: boolean
}

/** How objects are transferred. */
export interface TransferModeValues {
  syncMode: 'async' | 'sync'
  /** Bytes per second; 0 for no limit. */
  bandwidth: number
  /** Seconds, as typed. */
  healthCheck: string
}

const noRemoteServer: RemoteServerValues = { accessKey: '', secretKey: '', targetURL: '', region: '', useTLS: true }
export const defaultTransferMode: TransferModeValues = { syncMode: 'async', bandwidth: 100 * GiB, healthCheck: '60' }
/** Initial values for a new target. */
export const newTargetValues = { ...noRemoteServer, ...defaultTransferMode }

const SCHEME = /^https?:\/\//i

export const remoteServerRules = (t: Translate) => ({
  accessKey: (text: string) => (text.trim().length < 3 ? t('Enter at least 3 characters') : null),
  secretKey: (text: string) => (text.length < 8 ? t('Enter at least 8 characters') : null),
  targetURL: (text: string) => (text.trim() === '' ? requiredText(t) : null),
})

export const transferModeRules = (t: Translate) => ({
  bandwidth: (bytes: number, { syncMode }: TransferModeValues) =>
    syncMode === 'async' && bytes > 0 && bytes < MIN_BANDWIDTH ? t('Enter at least 100 MB per second') : null,
  healthCheck: (text: string) =>
    /^[1-9]\d{0,5}$/.test(text.trim()) ? null : t('Enter a whole number of seconds, at least 1'),
})

/** Returns the address with the scheme that the switch selects. A typed scheme is ignored. */
function targetAddress({ targetURL, useTLS }: Pick<RemoteServerValues, 'targetURL' | 'useTLS'>): string {
  return `${useTLS ? 'https' : 'http'}://${targetHost(targetURL)}`
}

export const targetHost = (targetURL: string): string => targetURL.trim().replace(SCHEME, '')

/** Returns the credentials for the calls. */
export const targetCredentials = ({ accessKey, secretKey, region }: RemoteServerValues) => ({
  accessKey: accessKey.trim(),
  secretKey,
  region: region.trim(),
})

/** Returns the target for `setReplication`. */
export const targetBody = (values: RemoteServerValues & TransferModeValues) => ({
  ...targetCredentials(values),
  targetURL: targetAddress(values),
  ...transferModeBody(values),
})

/** Returns the transfer settings for the calls. A synchronous target has no bandwidth limit. */
export const transferModeBody = ({ syncMode, bandwidth, healthCheck }: TransferModeValues) => ({
  syncMode,
  bandwidth: syncMode === 'sync' ? 0 : bandwidth,
  healthCheckPeriod: Number(healthCheck),
})

export function RemoteServerFields<Values extends RemoteServerValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useT()
  return (
    <>
      <TextField
        label={t('Target URL')}
        hint={t('Host and port, such as {{example}}', { example: 'backup.example:9000' })}
        data-autofocus
        {...form.getInputProps('targetURL')}
      />
      <SwitchField
        label={t('Use TLS')}
        hint={t('Without TLS, credentials and objects can be read on the way.')}
        {...form.getInputProps('useTLS', { type: 'checkbox' })}
      />
      <div className={css.pair}>
        <TextField label={t('Access Key')} {...form.getInputProps('accessKey')} />
        <TextField
          label={t('Secret Key')}
          type="password"
          autoComplete="new-password"
          {...form.getInputProps('secretKey')}
        />
      </div>
      <TextField
        label={t('Region')}
        hint={t('Only where the other server needs one.')}
        {...form.getInputProps('region')}
      />
    </>
  )
}

export function TransferModeFields<Values extends TransferModeValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useT()
  const { syncMode } = form.values
  const modes: { value: TransferModeValues['syncMode']; label: string }[] = [
    { value: 'async', label: t('Asynchronous') },
    { value: 'sync', label: t('Synchronous') },
  ]
  return (
    <>
      <SegmentField
        label={t('Replication Mode')}
        data={modes}
        hint={
          syncMode === 'sync'
            ? t('A write completes only when the target has it.')
            : t('Objects are sent in the background.')
        }
        {...form.getInputProps('syncMode')}
      />
      {syncMode === 'async' && (
        <SizeInput
          label={t('Bandwidth')}
          hint={t('Per second. Empty for no limit.')}
          optional
          {...form.getInputProps('bandwidth')}
        />
      )}
      <TextField
        label={t('Health Check Duration')}
        hint={t('Seconds between two checks of the target.')}
        inputMode="numeric"
        {...form.getInputProps('healthCheck')}
      />
    </>
  )
}
