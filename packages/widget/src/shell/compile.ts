/**
 * Fetches and compiles the module at the address that `place` returns. An error names the address, status and content type of the response,
 * so that the host can find the mistake.
 */
export async function compile(place: () => string | URL, priority?: RequestPriority): Promise<WebAssembly.Module> {
  const url = String(place())
  const response = await fetch(url, { priority })
  const type = response.headers.get('content-type')
  try {
    // Streaming requires `application/wasm`, and many servers do not know that type.
    return await (type === 'application/wasm'
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()))
  } catch (cause) {
    throw new Error(`${url}: ${response.status} ${type}`, { cause })
  }
}
