import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

/** Returns the text of each file in a zip, by name. Uses Python's zipfile, so that our own code does not check itself. */
export async function unzip(bytes: ArrayBuffer): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-zip-'))
  try {
    await writeFile(join(folder, 'z.zip'), new Uint8Array(bytes))
    await promisify(execFile)('python3', ['-m', 'zipfile', '-e', join(folder, 'z.zip'), join(folder, 'out')])
    const out = join(folder, 'out')
    const entries = await readdir(out, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return Object.fromEntries(await Promise.all(files.map(async (f) => [relative(out, f), await readFile(f, 'utf8')])))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
