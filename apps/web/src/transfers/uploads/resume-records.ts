import { openTransferRecords, type TransferRecords } from '../list/transfer-records.ts'

/** The record of a multipart upload that lets it continue after a reload. The file itself cannot be stored. */
export interface ResumeRecord {
  id: string
  owner: string
  bucket: string
  key: string
  uploadId: string
  /** Bytes. */
  partSize: number
  /** Identifies the file when the user chooses it again. */
  name: string
  size: number
  lastModified: number
  contentType: string
  /** Whether the user allowed replacing an existing object. */
  replace?: boolean
  /** Bytes of completed parts at the last progress event, for display; the server is asked before the upload continues. */
  kept: number
}

export type ResumeRecords = TransferRecords<ResumeRecord>

export const openResumeRecords = (): ResumeRecords => openTransferRecords<ResumeRecord>('uploads')
