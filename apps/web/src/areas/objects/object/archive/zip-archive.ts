import type { ArchiveMember } from '@stowage/contract'
import { type Message, msg } from '../../../../lib/text/i18n.ts'

/** Reports whether an object is a zip archive, by its name or content type. */
export function isZipArchive(name: string, contentType = ''): boolean {
  return /\.(zip|jar|war|apk|epub|whl)$/i.test(name) || /^application\/(zip|x-zip-compressed)\b/i.test(contentType)
}

/** Why a member cannot be downloaded. */
export const memberRefusalTexts: Record<NonNullable<ArchiveMember['refused']>, Message> = {
  name: msg('The name could leave the folder that the file is saved to.'),
  encrypted: msg('This file is encrypted.'),
  method: msg('This file is compressed by a method that is not supported.'),
  overlap: msg('This file shares bytes with another file of the archive.'),
  damaged: msg('The archive is damaged at this file.'),
}
