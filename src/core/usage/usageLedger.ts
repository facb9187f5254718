import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createTurns } from '../async/turns';
import { appendShared } from '../storage/appendLog';
import { addUsage, chargeKey, dayOf, noUsage, readEntries, sinceNoted, toLedgerLine, tokensOf } from './usage';
import type { ReadCharges, Usage, UsageEntry } from './usage';
import { lastDays } from './usageHistory';

/** Usage per profile and day, across all windows: `<folder>/<profile>/<day>.jsonl`. */
export interface UsageLedger {
  /**
   * Counts at once, even if writing fails, but the same charge of a job only once. Resolves to whether it is on disk; never rejects, so that an
   * answer is not lost over its count.
   */
  add(profileId: string, entry: UsageEntry): Promise<boolean>;
  /** Resolves to the sum of the day of `at`, including other processes; never less than what this process added. */
  total(profileId: string, at: number): Promise<Usage>;
  /** The same sum as far as it is known without waiting. */
  known(profileId: string, at: number): Usage;
  /** Resolves to a mark that changes once another process has noted something on the day of `at`. */
  markElsewhere(profileId: string, at: number): Promise<string>;
  /** Reserves tokens of a profile, in this process, until they are released. */
  hold(profileId: string, tokens: number): HeldTokens;
  /** Returns how many tokens are reserved. */
  held(profileId: string): number;
}

/** Tokens that count as used while the actual number is still unknown. */
export interface HeldTokens {
  /** Call once the actual usage is added, or if nothing was used. */
  release(this: void): void;
}

/** Reserved tokens in this process, by account folder. */
const heldTokens = new Map<string, number>();

/** More than a day, of which some have 25 hours. */
const nextDayMs = 25 * 3_600_000;
/** On as many days, a charge is looked for that is about to be noted: jobs are over by then. */
const chargedDays = 9;

export function createUsageLedger(folder: string, onError: (error: unknown) => void): UsageLedger {
  const fileOf = (profileId: string, day: string) => dayFileAt(join(folder, profileId, `${day}.jsonl`));
  const dayFile = (profileId: string, at: number) => fileOf(profileId, dayOf(at));
  const change = (profileId: string, by: number) => {
    const account = join(folder, profileId);
    heldTokens.set(account, (heldTokens.get(account) ?? 0) + by);
  };
  return {
    async add(profileId, entry) {
      try {
        let rest = entry;
        // A process that ended may have noted it before midnight, or after it if the service said only later when the job ended.
        if (chargeKey(entry) !== undefined)
          for (const day of lastDays(chargedDays, entry.at + nextDayMs))
            if (day !== dayOf(entry.at)) rest = await fileOf(profileId, day).rest(rest);
        if (rest.cost !== 0 || entry.cost === 0) await dayFile(profileId, entry.at).add(rest);
        return true;
      } catch (error) {
        onError(error);
        return false;
      }
    },
    async total(profileId, at) {
      const file = dayFile(profileId, at);
      await file.readOn().catch(onError);
      return file.known;
    },
    known: (profileId, at) => dayFile(profileId, at).known,
    async markElsewhere(profileId, at) {
      const file = dayFile(profileId, at);
      await file.readOn().catch(onError);
      return `${dayOf(at)} ${file.elsewhere}`;
    },
    hold(profileId, tokens) {
      let left = tokens;
      change(profileId, left);
      return {
        release() {
          change(profileId, -left);
          left = 0;
        },
      };
    },
    held: (profileId) => heldTokens.get(join(folder, profileId)) ?? 0,
  };
}

/** The usage of one day, in a file that other processes append to as well. */
export interface DayFile {
  /** The sum as far as known: local additions count at once, even if the file cannot be written or read. */
  readonly known: Usage;
  /** How many entries other processes have noted, as far as read. Those of an earlier session of this one count too. */
  readonly elsewhere: number;
  /** Rejects if the file cannot be written, after which the charge of a job can be added again. */
  add(entry: UsageEntry): Promise<void>;
  /** Resolves to what a charge is more than this file has of it; all of it if the file cannot be read. */
  rest(charge: UsageEntry): Promise<UsageEntry>;
  /** Reads what others have added. Rejects if the file cannot be read; a missing file is empty. */
  readOn(): Promise<void>;
}

const files = new Map<string, DayFile>();

/** Returns the one instance per file, shared by everything in this process that counts there. */
export function dayFileAt(path: string): DayFile {
  const file = files.get(path) ?? createDayFile(path);
  files.set(path, file);
  return file;
}

function createDayFile(path: string): DayFile {
  /** The sum of local additions: the least that can have been used. */
  let own = noUsage;
  const ownCharges: ReadCharges = new Map();
  /** The parts of it that are not read yet: still being written, written since, and failed to write. */
  const writing = new Set<UsageEntry>();
  let written = noUsage;
  const unwritten = new Set<UsageEntry>();
  /** How many entries this process has written. */
  let ownWritten = 0;
  let writtenSinceRead = 0;
  const read = new ReadDay(path);
  const { charges } = read;
  const inTurn = createTurns();
  const readOn = async () => {
    await read.readOn();
    written = noUsage;
    writtenSinceRead = 0;
  };
  return {
    get known() {
      const notRead = [...writing, ...unwritten].map((entry) => sinceNoted(entry, charges));
      const all = notRead.reduce<Usage>(addUsage, addUsage(read.usage, written));
      return atLeast(all, own);
    },
    get elsewhere() {
      return read.entries + writtenSinceRead - ownWritten;
    },
    add(entry) {
      own = addUsage(own, sinceNoted(entry, ownCharges));
      const key = chargeKey(entry);
      if (key !== undefined) ownCharges.set(key, Math.max(ownCharges.get(key) ?? 0, entry.cost ?? 0));
      for (const one of unwritten) if (key !== undefined && chargeKey(one) === key) unwritten.delete(one);
      writing.add(entry);
      return inTurn(async () => {
        try {
          // A process that ended may have noted it.
          if (key !== undefined) await readOn();
          if (key !== undefined && charges.has(key) && sinceNoted(entry, charges).cost === 0) return;
          await appendShared(path, toLedgerLine(entry));
          ownWritten += 1;
          writtenSinceRead += 1;
          if (key === undefined) written = addUsage(written, entry);
          else await readOn();
        } catch (error) {
          unwritten.add(entry);
          throw error;
        } finally {
          writing.delete(entry);
        }
      });
    },
    rest: (charge) =>
      inTurn(readOn).then(
        () => sinceNoted(charge, charges),
        () => charge,
      ),
    readOn: () => inTurn(readOn),
  };
}

/** Returns a sum with neither fewer tokens nor less cost than the other. */
function atLeast(sum: Usage, other: Usage): Usage {
  const most = tokensOf(sum) < tokensOf(other) ? other : sum;
  const cost = Math.max(sum.cost ?? 0, other.cost ?? 0);
  return cost > (most.cost ?? 0) ? { ...most, cost } : most;
}

/** What was read of a day's file. */
class ReadDay {
  /** The sum of the lines up to byte `end`, and how many entries they are. */
  usage = noUsage;
  entries = 0;
  readonly charges: ReadCharges = new Map();
  private end = 0;

  constructor(private readonly path: string) {}

  async readOn(): Promise<void> {
    const { from, lines, to } = await linesFrom(this.path, this.end);
    if (from === 0) {
      this.charges.clear();
      this.usage = noUsage;
      this.entries = 0;
    }
    const entries = readEntries(lines, this.charges);
    this.usage = entries.reduce<Usage>(addUsage, this.usage);
    this.entries += entries.length;
    this.end = to;
  }
}

/** Reads the complete lines from `at` on; from the beginning if the file has been truncated or replaced. */
async function linesFrom(path: string, at: number) {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!handle) return { from: 0, lines: '', to: 0 };
  try {
    const { size } = await handle.stat();
    const from = size < at ? 0 : at;
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const length = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    return { from, lines: bytes.toString('utf8', 0, length), to: from + length };
  } finally {
    await handle.close();
  }
}
