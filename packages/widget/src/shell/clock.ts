/** Epoch milliseconds that never step back: after somebody set the clock back, time goes on from where it was. */
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
