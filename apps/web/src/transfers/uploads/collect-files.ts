/** A file with its path relative to the dropped or chosen folder: `photos/2026/a.jpg`, or only its name. */
export interface FoundFile {
  file: File
  path: string
}

export interface CollectedFiles {
  found: FoundFile[]
  /** Paths of empty folders, which an object store cannot represent. */
  emptyFolders: string[]
  /** Paths that the browser could not read. */
  unreadable: string[]
}

/** The number of files that are opened in parallel while a folder is read. */
const CONCURRENCY = 64

/** Returns the files of an `<input type="file">`, also for folders (`webkitdirectory`). */
export function filesFromInput(files: FileList): CollectedFiles {
  const found = [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  return { found, emptyFolders: [], unreadable: [] }
}

/**
 * Returns the dropped files, including those in folders. Call it during the drop event: afterwards the browser discards the
 * items.
 */
export function filesFromDrop(items: DataTransferItemList): Promise<CollectedFiles> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return filesFromEntries(entries)
}

export async function filesFromEntries(roots: readonly FileSystemEntry[]): Promise<CollectedFiles> {
  const collected: CollectedFiles = { found: [], emptyFolders: [], unreadable: [] }
  const folders = roots.filter(isDirectory)
  await openFiles(roots.filter(isFile), collected)
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    try {
      const entries = await readAll(folder.createReader())
      if (entries.length === 0) collected.emptyFolders.push(entryPath(folder))
      folders.push(...entries.filter(isDirectory))
      await openFiles(entries.filter(isFile), collected)
    } catch {
      collected.unreadable.push(entryPath(folder))
    }
  }
  return collected
}

async function openFiles(
  entries: readonly FileSystemFileEntry[],
  { found, unreadable }: CollectedFiles,
): Promise<void> {
  for (let i = 0; i < entries.length; i += CONCURRENCY) {
    const some = entries.slice(i, i + CONCURRENCY)
    const files = await Promise.allSettled(
      some.map((entry) => new Promise<File>((done, fail) => entry.file(done, fail))),
    )
    for (const [n, entry] of some.entries()) {
      const file = files[n]
      if (file?.status === 'fulfilled') found.push({ file: file.value, path: entryPath(entry) })
      else unreadable.push(entryPath(entry))
    }
  }
}

/** Reads all entries. A reader returns a limited number at a time (Chromium 100), and an empty list at the end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return all
    all.push(...some)
  }
}

const entryPath = (entry: FileSystemEntry) => entry.fullPath.replace(/^\//, '')
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
