/** Resolves in a task of its own: the browser draws and hears the visitor before it. A timer would wait longer, in a hidden page a second. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
