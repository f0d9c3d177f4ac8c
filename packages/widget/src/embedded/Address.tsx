/** Sentence with an address in the place of `{0}`; the address keeps its own direction and stands out. */
export function Address({ sentence, address }: { sentence: (gap: string) => string; address: string }) {
  const [before, after] = sentence('\u0000')
    .replace(/[\u2066-\u2069]/g, '')
    .split('\u0000')
  return (
    <>
      {before}
      <bdi>{address}</bdi>
      {after}
    </>
  )
}
