import { createStore } from '../lib/store.ts'

const KEPT = 'sidebarOpen'

/** Whether the sidebar is shown beside the page on a wide screen. Open unless it was closed in this browser. */
export const sidebarOpen = createStore(localStorage.getItem(KEPT) !== 'false')
sidebarOpen.subscribe(() => localStorage.setItem(KEPT, String(sidebarOpen.get())))

/** Whether it is drawn over the page, on a narrow screen. */
export const sidebarOver = createStore(false)

export const paletteOpen = createStore(false)
export const shortcutsOpen = createStore(false)
