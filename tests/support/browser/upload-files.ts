import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileChooser, Locator, Page } from 'playwright-core'

export interface TempFiles extends AsyncDisposable {
  /** The path of a file or folder. */
  path(name: string): string
}

/** Creates files on disk for a browser to upload, by their paths below one folder. */
export async function tempFiles(files: Record<string, string | Uint8Array>): Promise<TempFiles> {
  const root = await mkdtemp(join(tmpdir(), 'stowage-files-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  return {
    path: (name) => join(root, name),
    [Symbol.asyncDispose]: async () => await rm(root, { recursive: true, force: true }),
  }
}

export type ChosenFiles = Parameters<FileChooser['setFiles']>[0]

/** A small file in memory. */
export const memoryFile = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })

/** Uploads files like a user: the button, its menu, the browser's file dialog. */
export async function chooseFiles(page: Page, files: ChosenFiles, item = 'Upload Files'): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await answerChooser(page, page.getByRole('menuitem', { name: item }), files)
}

/** Clicks a button that opens the browser's file dialog, and chooses files. */
export async function answerChooser(page: Page, button: Locator, files: ChosenFiles): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(files)
}

/** Drags files and folders over an element, as from a file manager, and by default drops them. */
export async function dragFiles(page: Page, onto: Locator, paths: string[], drop = true): Promise<void> {
  const box = await onto.boundingBox()
  if (!box) throw new Error('nothing to drop onto')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  const session = await page.context().newCDPSession(page)
  // Playwright cannot drag from outside the browser, so send the events of such a drag.
  for (const type of ['dragEnter', 'dragOver', ...(drop ? ['drop' as const] : [])] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await session.detach()
}
