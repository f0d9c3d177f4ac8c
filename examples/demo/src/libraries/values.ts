export const MESSAGE = 'Portico says hello.'
export const AMOUNT = '0.01'
/** Nobody's, so that a test may read what came. */
export const RECEIVER = '0x00000000000000000000000000000000000c0dE5'
