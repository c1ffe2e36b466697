export type { DetachRequest, SessionResult } from './detach.ts'
export { detach } from './detach.ts'
export type { HostCheck } from './host-check.ts'
export type { HostFinder, HostPlaces, HostProcess } from './host-processes.ts'
