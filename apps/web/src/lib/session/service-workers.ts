/** Removes service workers. A console that ran at this address before may have left one, which would serve its old pages. */
export async function removeServiceWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
