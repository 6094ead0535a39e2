/**
 * Rejects files that are dropped outside a drop target. By default the browser would open them in place of the console or in a
 * new tab.
 * @returns a function that stops this
 */
export function refuseDrops(): () => void {
  const refuse = (event: DragEvent) => {
    // A drop target has already called preventDefault when the event reaches the document.
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
  return () => {
    window.removeEventListener('dragover', refuse)
    window.removeEventListener('drop', refuse)
  }
}
