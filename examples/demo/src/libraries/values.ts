export const MESSAGE = 'Portico says hello.'
export const AMOUNT = '0.01'
/** Address without an owner, so that tests can read exactly what it received. */
export const RECEIVER = '0x00000000000000000000000000000000000c0dE5'
