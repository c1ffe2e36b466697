export type { Carrier, Strategy } from './carrier.ts'
export { type CarrierSearch, findCarrier, strategies } from './find.ts'
export { installSecondLock } from './second-lock.ts'
