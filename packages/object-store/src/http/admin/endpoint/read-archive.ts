import { readZip, type ZipArchiveEntry, ZipError, type ZipLimits } from '@stowage/madmin/zip'
import { S3Error } from '../../../lib/errors.ts'

/** Reads the files of a received archive. @throws S3Error InvalidRequest */
export function readArchive(body: Buffer, limits: ZipLimits): ZipArchiveEntry[] {
  try {
    return readZip(body, limits)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    throw new S3Error('InvalidRequest', error.message, { cause: error })
  }
}
