import { createHash, randomUUID } from 'node:crypto';
import { join, parse } from 'node:path';
import { compareDecimals, isDecimal, subtractDecimals } from '../account/decimal';
import { createTurns } from '../async/turns';
import { Leases, type Lease } from '../storage/leases';
import { createJsonFile } from '../storage/storedFile';
import { isObject } from '../api/isObject';
import { dayOf, type UsageOrigin } from './usage';
import { lastDays } from './usageHistory';
import { createUsageLedger } from './usageLedger';
import type { UsageLedger } from './usageLedger';

/** How much a balance fell on one day, as exact decimal text. */
interface BalanceFall {
  readonly day: string;
  readonly spent: string;
}

/** How much the balance of one account fell in a day, in all windows. Amounts are exact decimal text. */
interface BalanceDay extends BalanceFall {
  /** As last read. */
  readonly balance: string;
  /** When that was asked for, in Unix milliseconds. */
  readonly at: number;
  /** Identifies whose balance it is; absent in files of earlier versions. */
  readonly of?: string;
  /** What was spent on the days before, oldest first. */
  readonly earlier?: readonly BalanceFall[];
}

/** How much the balance of an account fell, by day in local time. */
export interface BalanceFalls {
  /** Tells balances apart: two accounts with the same key have the same. */
  readonly of: string;
  readonly days: ReadonlyMap<string, number>;
}

/** An account at the service; another key may be that of another account, with another balance. */
interface SpendingAccount {
  readonly baseUrl: string;
  readonly key: string;
  /** Of the balance, if the service says so: an account can have one for each currency. */
  readonly currency?: string | undefined;
}

/** The balance of an account in use is read more often than this. */
const soonMs = 60 * 60_000;

/** Longer text is not an amount of money. */
const longestAmount = 24;

/** As many days as can be shown. */
const mostEarlierDays = 31;

/** Why a cap refuses a request. Amounts in the currency of the account. */
export interface CappedDay {
  readonly spent: number;
  /** What other requests and jobs in progress are expected to cost. */
  readonly reserved: number;
  /** What is about to be started is expected to cost; 0 if that is unknown. */
  readonly expected: number;
  readonly cap: number;
}

/** Money that counts toward the cap while the actual charge of a request is still unknown. */
export interface HeldMoney {
  /**
   * Call it once the request has ended and its charge is on disk. `counting`: what puts it there, which must take a moment only, as the next
   * request waits for it. Never rejects.
   */
  release(this: void, counting?: unknown): Promise<void>;
}

/** For what is held to no cap. */
export const nothingHeld: HeldMoney = { release: async () => undefined };

interface DaySpendingOptions {
  /**
   * Path of the file that windows and processes share. What is paid by the piece is counted in a folder beside it, and what requests in
   * progress hold is in another.
   */
  readonly path: string;
  /** Counts what the service says that requests cost, or what they cost by known prices. */
  readonly ledger: UsageLedger;
  readonly account: string;
  readonly onError: (error: unknown) => void;
}

/**
 * What one account spent today: how much its balance fell, or what its requests cost as far as that is known, whichever is more. Money that
 * is paid in is not subtracted.
 */
export class DaySpending {
  private readonly file;
  private readonly pieces: UsageLedger;
  private readonly piecesOf: string;
  private readonly inTurn = createTurns();
  /** Made at first use. */
  private leases: Leases | undefined;
  private lease: Lease | undefined;
  /** What requests of this process hold. */
  private own = 0;

  constructor(private readonly options: DaySpendingOptions) {
    const { dir, name, ext } = parse(options.path);
    this.pieces = createUsageLedger(dir, options.onError);
    // Named after the file: the folder of the account may have the tokens, which would be counted twice.
    this.piecesOf = ext === '' ? `${name}.pieces` : name;
    this.file = createJsonFile(options.path, readDay);
  }

  /** Learns from a reading of the total balance; a change from one account or currency to another is not spending. Never rejects. */
  async noteBalance(balance: string, at: number, account: SpendingAccount): Promise<void> {
    if (balance.length > longestAmount || !isDecimal(balance)) return;
    try {
      const before = await this.file.read();
      // An older reading may come after a newer one; one that is much older shows that the clock was set back.
      if (before && before.at > at && before.at - at < soonMs) return;
      const day = dayOf(at);
      const of = markOf(account);
      const earlier = before?.day === day ? before : undefined;
      // What was spent around midnight counts today: nobody knows on which side of it.
      const isSoon = before !== undefined && Math.abs(at - before.at) < soonMs;
      const last = earlier ?? (isSoon ? before : undefined);
      const fellSince = (reading: BalanceDay | undefined) => {
        const fall = reading?.of === of ? subtractDecimals(reading.balance, balance) : undefined;
        return fall !== undefined && !fall.startsWith('-') ? fall : '0';
      };
      const spent = sumOf(earlier?.spent ?? '0', fellSince(last));
      // What was spent overnight doesn't count toward the cap of today, but would be missing from the sums of both days.
      const isOvernight = !last && before?.day === lastDays(2, at)[0];
      const ended = before && { ...before, spent: sumOf(before.spent, isOvernight ? fellSince(before) : '0') };
      const days = ended && ended.day !== day ? [...(ended.earlier ?? []), ended] : (ended?.earlier ?? []);
      // The clock may have been set back.
      const past = days.filter((one) => one.day < day).slice(-mostEarlierDays);
      await this.file.write({
        day,
        spent,
        balance,
        at,
        of,
        ...(past.length > 0 && { earlier: past.map((one) => ({ day: one.day, spent: one.spent })) }),
      });
    } catch (error) {
      this.options.onError(error);
    }
  }

  /** Resolves to how much the balance fell by day, as far as it was read; `undefined` if it never was. Rejects if that can't be read. */
  async falls(): Promise<BalanceFalls | undefined> {
    const last = await this.file.read();
    if (!last) return undefined;
    const days = [...(last.earlier ?? []), last].map(({ day, spent }) => [day, Number(spent)] as const);
    return { of: last.of ?? this.options.path, days: new Map(days) };
  }

  /**
   * Counts the price of something that uses no tokens; `undefined` if that is unknown. The same charge of a job counts once. Resolves to whether
   * it is on disk; never rejects.
   */
  async addPiece(
    model: string,
    cost: number | undefined,
    at: number,
    { source, job, from }: UsageOrigin = {},
  ): Promise<boolean> {
    return this.pieces.add(this.piecesOf, {
      at,
      model,
      inputTokens: 0,
      outputTokens: 0,
      source,
      job,
      from,
      ...(cost !== undefined && { cost }),
    });
  }

  /** Resolves to a mark that changes once other windows or programs have noted a request or a piece on the day of `now`. Never rejects. */
  async markElsewhere(now: number): Promise<string> {
    const { ledger, account } = this.options;
    return `${await ledger.markElsewhere(account, now)} ${await this.pieces.markElsewhere(this.piecesOf, now)}`;
  }

  /** Resolves to what was spent on the day of `now`, in the currency of the account; `undefined` if neither balance nor prices tell. */
  async spent(now: number): Promise<number | undefined> {
    const { ledger, account, onError } = this.options;
    const [{ cost: ofTokens }, { cost: ofPieces }] = [
      await ledger.total(account, now),
      await this.pieces.total(this.piecesOf, now),
    ];
    const cost = ofTokens === undefined ? ofPieces : ofTokens + (ofPieces ?? 0);
    const day = await this.file.read().catch((error: unknown) => {
      onError(error);
    });
    const fell = day?.day === dayOf(now) ? Number(day.spent) : undefined;
    if (cost === undefined || fell === undefined) return cost ?? fell;
    return Math.max(cost, fell);
  }

  /**
   * Reserves what a request is expected to cost until its charge is counted, so that requests in progress can't exceed the cap together, also
   * those of other windows and processes. Throws what `check` throws. Of two that begin in the same moment, both may be refused.
   * `reservedByJobs` is called once others see the reservation.
   */
  hold(
    cap: number,
    refuse: (day: CappedDay) => Error,
    expected: number,
    reservedByJobs: () => Promise<number>,
  ): Promise<HeldMoney> {
    return this.inTurn(async () => {
      const before = this.own;
      // Others must see it before it is checked: whoever checks last sees both. So does a job, which is on record before it is checked.
      await this.publish(before + expected);
      try {
        const reserved = (await reservedByJobs()) + before + (await this.heldElsewhere());
        await this.check(cap, refuse, { reserved, expected });
      } catch (error) {
        await this.publish(before);
        throw error;
      }
      const release = async (counting: unknown) => {
        await Promise.allSettled([counting]);
        await this.publish(this.own - expected);
      };
      return { release: (counting) => this.inTurn(() => release(counting)) };
    });
  }

  /** Resolves to what requests in progress hold, in all windows and processes. Never rejects. */
  async held(): Promise<number> {
    return this.own + (await this.heldElsewhere());
  }

  /**
   * Throws `refuse` once the spending of today has reached the cap, or if it would exceed it together with what work in progress is
   * expected to cost. A cap of 0 is none.
   */
  async check(
    cap: number,
    refuse: (day: CappedDay) => Error,
    { reserved = 0, expected = 0 }: Partial<CappedDay> = {},
  ): Promise<void> {
    if (cap <= 0) return;
    const spent = (await this.spent(Date.now())) ?? 0;
    // Sums of prices aren't exact.
    if (spent < cap && spent + reserved + expected <= cap * (1 + 1e-9)) return;
    throw Object.assign(refuse({ spent, reserved, expected, cap }), { isBudgetRefusal: true });
  }

  /** Tells other processes what this one holds. Never rejects: without a place to write, requests of this process still count. */
  private async publish(amount: number): Promise<void> {
    const isSame = amount === this.own;
    // Sums of prices aren't exact, and nothing may be left of what was released.
    this.own = amount < 1e-12 ? 0 : amount;
    if (isSame) return;
    try {
      const { lease } = this;
      if (this.own > 0) {
        this.lease ??= await this.openLeases().take(randomUUID());
        await this.lease.setNote(this.own);
      } else {
        this.lease = undefined;
        await lease?.release();
      }
    } catch (error) {
      this.options.onError(error);
    }
  }

  private async heldElsewhere(): Promise<number> {
    const notes = await this.openLeases().notesElsewhere();
    return notes.reduce((sum, { note }) => (typeof note === 'number' && note > 0 ? sum + note : sum), 0);
  }

  private openLeases(): Leases {
    const { dir, name } = parse(this.options.path);
    return (this.leases ??= new Leases(join(dir, `${name}.held`), () => ''));
  }
}

/** Tells accounts and their balances apart; too short to find the key by it. */
function markOf({ baseUrl, key, currency }: SpendingAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, key, ...(currency === undefined ? [] : [currency])]))
    .digest('hex')
    .slice(0, 8);
}

function sumOf(one: string, other: string): string {
  return subtractDecimals(one, `-${other}`) ?? one;
}

function readDay(raw: unknown): BalanceDay | undefined {
  if (!isObject(raw)) return undefined;
  const { balance, at, of, earlier } = raw;
  const fall = readFall(raw);
  if (!fall || typeof balance !== 'string' || !isDecimal(balance) || typeof at !== 'number') return undefined;
  const past = (Array.isArray(earlier) ? earlier : []).flatMap((one) => readFall(one) ?? []);
  return { ...fall, balance, at, ...(typeof of === 'string' && { of }), ...(past.length > 0 && { earlier: past }) };
}

function readFall(raw: unknown): BalanceFall | undefined {
  if (!isObject(raw)) return undefined;
  const { day, spent } = raw;
  if (typeof day !== 'string' || typeof spent !== 'string' || !isDecimal(spent)) return undefined;
  return compareDecimals(spent, '0') === -1 ? undefined : { day, spent };
}
