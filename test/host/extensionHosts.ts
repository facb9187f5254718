import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Returns the process IDs of the extension hosts below a server, found by parent processes. Those of other servers are excluded. */
export function extensionHostsOf(serverPid: number): number[] {
  return hostsAmong(familyOf([serverPid])).map(({ pid }) => pid);
}

/** Kills them with all processes that they started, as a crash does. Resolves when they have ended. */
export async function endExtensionHosts(serverPid: number): Promise<void> {
  for (let family = endable(serverPid); family.length > 0; family = endable(serverPid)) {
    for (const { pid } of family) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    }
    await wait(20);
  }
}

const endable = (serverPid: number): readonly Process[] =>
  familyOf(hostsAmong(familyOf([serverPid])).map(({ pid }) => pid));

const hostsAmong = (processes: readonly Process[]): readonly Process[] =>
  processes.filter(({ command }) => command.includes('--type=extensionHost'));

/** Returns these processes with all their descendants. */
function familyOf(pids: readonly number[]): readonly Process[] {
  // A small Linux has no ps.
  const processes = existsSync('/proc/self/stat') ? processesOfProc() : processesOfPs();
  const family = new Set(pids);
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(({ pid }) => family.has(pid));
}

function processesOfProc(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in brackets, which can contain anything, is followed by the state and the parent.
        const parent = /.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // It has ended in the meantime.
      }
    });
}

function processesOfPs(): readonly Process[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command: command ?? '' }));
}
