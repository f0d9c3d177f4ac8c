/** What a browser that draws nothing right now may keep us waiting, in milliseconds. */
const LONGEST = 200

/** Resolves once the browser has drawn the next frame; soon where it draws none. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST)
    requestAnimationFrame(() => {
      // The frame is drawn after its callbacks: the next task comes behind it.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(null)
    })
  })
}
