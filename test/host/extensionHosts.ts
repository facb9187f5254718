import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The process ids of the extension hosts below a server, found by who started whom; nobody else's are among them. */
export function extensionHostsOf(serverPid: number): number[] {
  return hostsAmong(familyOf([serverPid])).map(({ pid }) => pid);
}

/** Ends them as a crash does, with all that they started. Resolves when they are gone. */
export async function endExtensionHosts(serverPid: number): Promise<void> {
  for (let family = endable(serverPid); family.length > 0; family = endable(serverPid)) {
    for (const { pid } of family) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    await wait(20);
  }
}

const endable = (serverPid: number): readonly Process[] =>
  familyOf(hostsAmong(familyOf([serverPid])).map(({ pid }) => pid));

const hostsAmong = (processes: readonly Process[]): readonly Process[] =>
  processes.filter(({ command }) => command.includes('--type=extensionHost'));

/** These processes, and those that they and theirs started. */
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
        // After the name in brackets, which may hold anything: the state, then the parent.
        const parent = /.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // It ended meanwhile.
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
