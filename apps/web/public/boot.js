// What is seen until the first page is there, which may wait for a slow network or for the storage server: nothing at
// first, so that a quick start does not flicker, then what is going on. `layout/Root.tsx` takes it away.
// A file of its own, because the program itself may be what is waited for; in English, because the texts are part of it.
{
  const boot = document.getElementById('boot')
  const text = boot.appendChild(document.createElement('p'))
  const show = () => {
    if (!boot.isConnected) return clearInterval(timer)
    const seconds = Math.floor(performance.now() / 1000)
    boot.hidden = performance.now() < 500
    text.textContent =
      seconds < 3
        ? 'Loading...'
        : `This operation is taking longer than expected...${seconds < 6 ? '' : ` (${seconds} seconds elapsed)`}`
    if (seconds >= 6 && boot.childElementCount === 1) offerReload()
  }
  const offerReload = () => {
    const hint = boot.appendChild(document.createElement('p'))
    hint.textContent =
      'The console or the storage server behind it does not answer yet. This page goes on when it does. '
    const reload = hint.appendChild(document.createElement('button'))
    reload.className = 'link'
    reload.textContent = 'Reload Page'
    reload.onclick = () => location.reload()
  }
  const timer = setInterval(show, 250)
}
