import { existsSync, readFileSync } from 'node:fs';

/** The most memory this process had. What the system tells of its children begins, on Linux, with what their parent had. */
export function peakKb(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
}
