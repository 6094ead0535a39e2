import {
  IconFile,
  IconFileCode,
  IconFileMusic,
  IconFileText,
  IconFileZip,
  IconFolder,
  IconMovie,
  IconPhoto,
} from '@tabler/icons-react'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../styles/objects.module.css'

const iconExtensions = [
  [IconPhoto, 'avif bmp gif heic ico jpeg jpg png svg tif tiff webp'],
  [IconMovie, 'avi m4v mkv mov mp4 mpeg mpg webm'],
  [IconFileMusic, 'aac flac m4a mp3 oga ogg opus wav'],
  [IconFileZip, '7z bz2 gz jar rar tar tgz xz zip zst'],
  [
    IconFileCode,
    'c cpp css csv go h html java js json jsx parquet php py rb rs sh sha256 sql toml ts tsx xml yaml yml',
  ],
  [IconFileText, 'doc docx log md odt pdf rtf srt txt vtt'],
] as const

const iconsByExtension = new Map(
  iconExtensions.flatMap(([icon, endings]) => endings.split(' ').map((ending) => [ending, icon] as const)),
)

/** An icon for the type of a file, by its extension. Decorative: the name contains the same information. */
export function FileIcon({ name, folder }: { name: string; folder: boolean }) {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return <Icon of={folder ? IconFolder : (iconsByExtension.get(ending) ?? IconFile)} className={css.icon ?? ''} />
}
