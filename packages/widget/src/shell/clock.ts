/** Epoch milliseconds that never step back: after the clock was set back, time goes on from its last value. */
export function steadyClock(read: () => number = Date.now): () => number {
  let ahead = 0
  let last = 0
  return () => {
    const now = read() + ahead
    if (now < last) {
      ahead += last - now
      return last
    }
    last = now
    return now
  }
}
