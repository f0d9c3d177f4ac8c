/**
 * Fetches a module from where `place` says it is. What came in its place is told with its address, status and type: the host has to find
 * it.
 */
export async function compile(place: () => string | URL, priority?: RequestPriority): Promise<WebAssembly.Module> {
  const url = String(place())
  const response = await fetch(url, { priority })
  const type = response.headers.get('content-type')
  try {
    // Servers that do not know the type are common; streaming insists on it.
    return await (type === 'application/wasm'
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()))
  } catch (cause) {
    throw new Error(`${url}: ${response.status} ${type}`, { cause })
  }
}
