import { createStore } from '../../lib/store.ts'

const STORAGE_KEY = 'sidebarOpen'

/** Whether the sidebar is shown on a wide screen. True unless the user hid it in this browser. */
export const sidebarOpen = createStore(localStorage.getItem(STORAGE_KEY) !== 'false')
sidebarOpen.subscribe(() => localStorage.setItem(STORAGE_KEY, String(sidebarOpen.get())))

/** Whether the sidebar is shown as an overlay, on a narrow screen. */
export const sidebarOverlay = createStore(false)

export const paletteOpen = createStore(false)
export const shortcutsOpen = createStore(false)
