import { createStore } from '../lib/store.ts'

const KEPT = 'sidebarOpen'

/** Whether the sidebar stands beside the page, on a wide screen; open unless it was closed here before. */
export const sidebarOpen = createStore(localStorage.getItem(KEPT) !== 'false')
sidebarOpen.subscribe(() => localStorage.setItem(KEPT, String(sidebarOpen.get())))

/** Whether it is drawn over the page, on a narrow screen. */
export const sidebarOver = createStore(false)

export const paletteOpen = createStore(false)
export const shortcutsOpen = createStore(false)
