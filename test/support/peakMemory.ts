import { existsSync, readFileSync } from 'node:fs';

/** Returns the peak memory of this process. On Linux, the system's value for child processes starts with their parent's. */
export function peakKb(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
}
