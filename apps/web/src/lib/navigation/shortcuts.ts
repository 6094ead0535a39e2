import { useEffect, useRef } from 'react'
import { type Message, msg } from '../text/i18n.ts'

interface Shortcut {
  /** Key names as in `KeyboardEvent.key`, with the prefix `Mod+` (Ctrl, or ⌘ on a Mac) or `Shift+`. */
  keys: readonly string[]
  label: Message
}

const defineShortcuts = <const T extends Record<string, Record<string, Shortcut>>>(groups: T) => groups

/**
 * Every shortcut of the console. Key handlers refer to these by name, so that the dialog lists exactly the shortcuts that
 * exist. If two match, the first one is used.
 */
export const shortcuts = defineShortcuts({
  everywhere: {
    palette: { keys: ['Mod+K'], label: msg('Search or run a command') },
    help: { keys: ['?'], label: msg('Keyboard shortcuts') },
  },
  lists: {
    filter: { keys: ['/'], label: msg('Go to the filter') },
    clear: { keys: ['Escape'], label: msg('Clear the filter or the selection') },
    rows: { keys: ['J', 'K'], label: msg('Go to the rows') },
  },
  rows: {
    extendDown: { keys: ['Shift+ArrowDown'], label: msg('Select down to the next row') },
    extendUp: { keys: ['Shift+ArrowUp'], label: msg('Select up to the previous row') },
    extend: { keys: ['Shift+ '], label: msg('Select everything up to here') },
    down: { keys: ['ArrowDown', 'J'], label: msg('Next row') },
    up: { keys: ['ArrowUp', 'K'], label: msg('Previous row') },
    pageDown: { keys: ['PageDown'], label: msg('Ten rows down') },
    pageUp: { keys: ['PageUp'], label: msg('Ten rows up') },
    first: { keys: ['Home'], label: msg('First row') },
    last: { keys: ['End'], label: msg('Last row') },
    open: { keys: ['Enter'], label: msg('Open the row') },
    preview: { keys: [' '], label: msg('Preview the row; in lists without a preview, select it') },
    select: { keys: ['X'], label: msg('Select the row') },
    remove: { keys: ['Delete'], label: msg('Delete the row or the selection') },
    all: { keys: ['Mod+A'], label: msg('Select all rows') },
  },
  palette: {
    down: { keys: ['ArrowDown'], label: msg('Next result') },
    up: { keys: ['ArrowUp'], label: msg('Previous result') },
    run: { keys: ['Enter'], label: msg('Open or run the result') },
    into: { keys: ['Tab'], label: msg('Browse the bucket') },
  },
  overlays: {
    close: { keys: ['Escape'], label: msg('Close the dialog, menu or details') },
  },
})

export type ShortcutGroup = keyof typeof shortcuts
type ShortcutName<G extends ShortcutGroup> = keyof (typeof shortcuts)[G]
/** The handler of each shortcut of a group. It returns `false` if it did not handle the key. */
export type ShortcutHandlers<G extends ShortcutGroup> = Record<ShortcutName<G>, () => unknown>

interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
  preventDefault: () => void
}

/** Runs the shortcut that matches a key event, and then prevents the browser's default action. */
export function runShortcut<G extends ShortcutGroup>(
  group: G,
  event: KeyPress,
  handlers: Partial<ShortcutHandlers<G>>,
) {
  // The keys of the object are the names in this group.
  const found = (Object.entries(shortcuts[group]) as [ShortcutName<G>, Shortcut][]).find(([, { keys }]) =>
    keys.some((keyed) => isPressed(keyed, event)),
  )
  const run = found && handlers[found[0]]
  if (run && run() !== false) event.preventDefault()
}

function isPressed(keyed: string, event: KeyPress): boolean {
  const parts = keyed.split('+')
  const key = parts.at(-1) ?? ''
  if (event.altKey || parts.includes('Mod') !== (event.ctrlKey || event.metaKey)) return false
  if (parts.includes('Shift') && !event.shiftKey) return false
  return event.key.toLowerCase() === key.toLowerCase()
}

/** Handles shortcuts for the whole page. Those without Mod are ignored in fields and dialogs. */
export function useShortcuts<G extends ShortcutGroup>(group: G, handlers: Partial<ShortcutHandlers<G>>) {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && (event.ctrlKey || event.metaKey || !isTyping(event.target)))
        runShortcut(group, event, latest.current)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [group])
}

/** Reports whether keys are typed into a field or dialog. A checkbox is not a field in this sense. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, select, [role="dialog"]') !== null
  )
}

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)
const KEY_LABELS: Record<string, string> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  ArrowDown: '↓',
  ArrowUp: '↑',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
  Escape: 'Esc',
  Enter: '↵',
  ' ': 'Space',
}

/** Lists the shortcuts of a group in order. */
export const listShortcuts = (group: ShortcutGroup): Shortcut[] => Object.values(shortcuts[group])

/** Returns the labels of the keys: Ctrl and K for `Mod+K`. */
export const keyLabels = (keyed: string) => keyed.split('+').map((part) => KEY_LABELS[part] ?? part)
