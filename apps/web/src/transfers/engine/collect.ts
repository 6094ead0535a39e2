/** A file with its path below what was dropped or chosen: `photos/2026/a.jpg`, or only its name. */
export interface Found {
  file: File
  path: string
}

export interface Collected {
  found: Found[]
  /** Paths of folders with nothing in them: an object store has no place for these. */
  emptyFolders: string[]
  /** Paths that the browser could not read. */
  unreadable: string[]
}

/** Files that are opened at the same time while a folder is read. */
const AT_ONCE = 64

/** The files of an `<input type="file">`, of whole folders too (`webkitdirectory`). */
export function fromInput(files: FileList): Collected {
  const found = [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  return { found, emptyFolders: [], unreadable: [] }
}

/** What was dropped, folders opened. Must be called while the drop event runs: the browser forgets the items after it. */
export function fromDrop(items: DataTransferItemList): Promise<Collected> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return fromEntries(entries)
}

export async function fromEntries(roots: readonly FileSystemEntry[]): Promise<Collected> {
  const collected: Collected = { found: [], emptyFolders: [], unreadable: [] }
  const folders = roots.filter(isDirectory)
  await openFiles(roots.filter(isFile), collected)
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    try {
      const entries = await readAll(folder.createReader())
      if (entries.length === 0) collected.emptyFolders.push(pathOf(folder))
      folders.push(...entries.filter(isDirectory))
      await openFiles(entries.filter(isFile), collected)
    } catch {
      collected.unreadable.push(pathOf(folder))
    }
  }
  return collected
}

async function openFiles(entries: readonly FileSystemFileEntry[], { found, unreadable }: Collected): Promise<void> {
  for (let i = 0; i < entries.length; i += AT_ONCE) {
    const some = entries.slice(i, i + AT_ONCE)
    const files = await Promise.allSettled(
      some.map((entry) => new Promise<File>((done, fail) => entry.file(done, fail))),
    )
    for (const [n, entry] of some.entries()) {
      const file = files[n]
      if (file?.status === 'fulfilled') found.push({ file: file.value, path: pathOf(entry) })
      else unreadable.push(pathOf(entry))
    }
  }
}

/** A reader gives some entries a call (Chromium a hundred), and none at the end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return all
    all.push(...some)
  }
}

const pathOf = (entry: FileSystemEntry) => entry.fullPath.replace(/^\//, '')
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
