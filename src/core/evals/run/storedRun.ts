import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import type { PriceBook } from '../evalFacts';
import { cellId } from '../evalPlan';
import type { EvalPlan, EvalVariant, GraderModels } from '../evalPlan';
import type { GradedCell } from '../graders/gradeCell';
import { readBaseline } from './baseline';
import { gradeNamed } from './compare';
import { EvalRun, manifestFile } from './evalRun';
import type { CellAnswer, EvalService, GoldGrade, RunProgress } from './evalRun';
import { readLabels } from './humanLabels';
import type { HumanLabel } from './humanLabels';
import type { Against } from './report';
import { EvalRunFolder } from './runFolder';
import type { JudgedPair } from '../statistics/judges';
import { exists } from '../../storage/privateFiles';

const mostManifestBytes = 10_000_000;

/** What a run was of, as its folder says. */
interface RunManifest {
  readonly origin: string;
  readonly judge?: string;
  readonly embeddings?: string;
  /** IDs of its variants. */
  readonly variants: readonly string[];
}

/** Reads the manifest of a run folder: `undefined` if there is none, `damaged` if it can't be read. */
export async function readManifest(folder: string): Promise<RunManifest | 'damaged' | undefined> {
  const path = join(folder, manifestFile);
  const known = await stat(path).catch(() => undefined);
  if (!known) return undefined;
  const read = known.size > mostManifestBytes ? undefined : parseJson(await readFile(path, 'utf8').catch(() => ''));
  const { origin, judge, embeddings, variants } = isObject(read) ? read : {};
  if (typeof origin !== 'string' || !URL.canParse(origin) || !Array.isArray(variants)) return 'damaged';
  const ids = (variants as readonly unknown[]).map((one) => (isObject(one) ? String(one['id']) : ''));
  return {
    origin,
    variants: ids,
    ...(typeof judge === 'string' && { judge }),
    ...(typeof embeddings === 'string' && { embeddings }),
  };
}

/** A difference that doesn't matter, as a share. */
export const margin = 0.05;
/** Stands for the baseline among the IDs of variants. */
export const baselineId = 'baseline';

/** What is compared with what: IDs of variants, or `baseline`. */
export interface Compared {
  readonly reference: string;
  readonly candidate: string;
}

/** What is on disk of a run of an eval, graded. */
export interface StoredRun {
  /** Only the rows that the run is of: a smoke test has a few of them. */
  readonly plan: EvalPlan;
  /** Rows that the eval file has now. */
  readonly plannedRows: number;
  readonly manifest: RunManifest | 'damaged' | undefined;
  readonly graded: ReadonlyMap<EvalVariant, readonly GradedCell[]>;
  /** By the IDs of cells. */
  readonly answers: ReadonlyMap<string, CellAnswer>;
  readonly progress: RunProgress;
  /** Requests of the run's rows that were never sent. */
  readonly unsent: number;
  /** Requests that were sent without a result, and of which none will come. */
  readonly lost: number;
  /** Model grades that were not requested yet. */
  readonly ungraded: number;
  /** A run has the folder now. */
  readonly isRunning: boolean;
  readonly isByBatch: boolean;
  readonly cost: number | undefined;
  /** By the IDs of variants, without model grades. */
  readonly costs: ReadonlyMap<string, number | undefined>;
  /** By variant: its answers next to those of the first variant. */
  readonly pairs: ReadonlyMap<string, readonly JudgedPair[]>;
  /** What the judge says of answers whose grade is known. */
  readonly gold: readonly GoldGrade[];
  /** Damaged lines of responses. */
  readonly unreadable: number;
  readonly baseline: Against | undefined;
  readonly baselineProblem: string | undefined;
  /** Answers that people have rated. */
  readonly labels: readonly HumanLabel[];
}

export interface StoredRunOptions {
  readonly folder: string;
  readonly prices: PriceBook;
  /** Views the service of a run. `origin`: as its manifest says; absent without one. */
  readonly serviceAt: (origin: string | undefined, isRunning: boolean) => EvalService;
}

/** Reads a run without changing it and without a request. Throws if the folder can't be read. */
export function readStoredRun(file: string, planned: EvalPlan, options: StoredRunOptions): Promise<StoredRun> {
  return new RunReader().read(file, planned, options);
}

/** Reads a run again and again, each time only what was added to it. */
export class RunReader {
  private folder: EvalRunFolder | undefined;
  /** What decides requests and scores besides the responses, and the runs by it. */
  private key = '';
  private runs = new Map<EvalPlan, EvalRun>();
  private service: EvalService | undefined;
  private prices: PriceBook | undefined;

  /** As `readStoredRun` does. */
  async read(
    file: string,
    planned: EvalPlan,
    { folder: path, prices, serviceAt }: StoredRunOptions,
  ): Promise<StoredRun> {
    const manifest = await readManifest(path);
    const { origin, judge, embeddings } = manifest === 'damaged' || !manifest ? {} : manifest;
    const isThere = await exists(path);
    const isRunning = isThere && (await EvalRunFolder.isHeld(path));
    const service = serviceAt(origin, isRunning);
    [this.service, this.prices] = [service, prices];
    const key = JSON.stringify([path, service.origin, judge, embeddings]);
    const isKnown = isThere && key === this.key && (await this.folder?.reload()) === true;
    if (!isKnown) {
      this.key = key;
      this.folder = isThere ? await EvalRunFolder.view(path, service.origin) : undefined;
      this.runs.clear();
    }
    const { folder } = this;
    const whole = folder && this.runOf(planned, folder, { judge, embeddings });
    const plan = whole ? this.startedPart(planned, whole) : planned;
    const run = plan === planned ? whole : folder && this.runOf(plan, folder, { judge, embeddings });
    for (const one of this.runs.keys()) if (one !== plan && one !== planned) this.runs.delete(one);
    await run?.refresh(new AbortController().signal);
    const next = run?.next() ?? [];
    const generations = next.filter(({ id }) => id.startsWith('e1.'));
    const sent = new Set(folder?.sentFiles.flatMap(({ keys }) => [...keys.values()]));
    const lost = next.filter(({ key: one }) => sent.has(one)).length;
    const { found, problem } = await readBaseline(file, planned);
    return {
      plan,
      plannedRows: planned.rows.length,
      manifest,
      graded: run?.graded() ?? new Map(),
      answers: new Map(Array.from(run?.answers() ?? [], (one) => [one.cell.id, one])),
      progress: run?.progress ?? {
        requests: 0,
        answered: 0,
        failed: 0,
        waiting: 0,
        problems: [],
        elsewhere: new Map(),
      },
      unsent: generations.filter(({ key: one }) => !sent.has(one)).length,
      lost,
      ungraded: generations.length === 0 ? next.filter(({ key: one }) => !sent.has(one)).length : 0,
      isRunning,
      isByBatch: folder?.sentFiles.findLast(({ keys }) => isOfResponses(keys))?.how === 'batch',
      cost: run?.cost,
      costs: new Map(plan.variants.map((variant) => [variant.id, run?.costOfVariant(variant)])),
      pairs: run?.judgedPairs ?? new Map(),
      gold: run?.goldGrades ?? [],
      unreadable: folder?.unreadableLines ?? 0,
      baseline: found,
      baselineProblem: problem,
      labels: await readLabels(path),
    };
  }

  /** The rows that the run is of: the same plan as long as they are the same. */
  private startedPart(planned: EvalPlan, whole: EvalRun): EvalPlan {
    const started = whole.startedRows;
    const rows = planned.rows.filter(({ hash }) => started.has(hash));
    if (rows.length === 0 || rows.length === planned.rows.length) return planned;
    const isSame = (one: EvalPlan) =>
      one.variants === planned.variants &&
      one.rows.length === rows.length &&
      one.rows.every((row, at) => row === rows[at]);
    // A part of the rows runs without those that measure graders.
    return [...this.runs.keys()].find(isSame) ?? { ...planned, rows, gold: [] };
  }

  private runOf(plan: EvalPlan, folder: EvalRunFolder, models: GraderModels): EvalRun {
    const known = this.runs.get(plan);
    if (known) return known;
    const { origin } = this.service!;
    const refuse = () => Promise.reject(new Error('Nothing is sent by a view.'));
    const service: EvalService = {
      origin,
      submit: refuse,
      runNow: refuse,
      look: (...sent) => this.service!.look(...sent),
    };
    const { prices } = this;
    const book: PriceBook = {
      pricesOf: (model) => (this.prices ?? prices)?.pricesOf(model),
      batchDiscount: prices!.batchDiscount,
    };
    const run = new EvalRun(plan, folder, service, { prices: book, ...models });
    this.runs.set(plan, run);
    return run;
  }
}

/** Whether a file has the requests for responses, and not for their grades. */
function isOfResponses(keys: ReadonlyMap<string, string>): boolean {
  const [first = ''] = keys.keys();
  return first.startsWith('e1.');
}

/** Returns the first answer to a row, by its hash, of a variant, by its ID. */
export function answerIn({ answers }: StoredRun, row: string, variant: string): CellAnswer | undefined {
  return answers.get(cellId(row, variant, 0));
}

/** Returns what to compare: what was chosen, if the run still has it, else a variant with the baseline or with the first variant. */
export function comparedIn({ plan: { variants }, baseline }: StoredRun, chosen: Compared): Compared {
  const has = (id: string) => variants.some((variant) => variant.id === id);
  const first = variants[0]?.id ?? '';
  const isKnown = has(chosen.reference) || (chosen.reference === baselineId && baseline !== undefined);
  const reference = isKnown ? chosen.reference : baseline ? baselineId : first;
  const isOther = has(chosen.candidate) && chosen.candidate !== reference;
  if (isOther) return { reference, candidate: chosen.candidate };
  const same = reference === baselineId ? baseline?.variant : reference;
  return { reference, candidate: variants.find(({ id }) => id !== same)?.id ?? first };
}

type RunStage = 'none' | 'waiting' | 'running' | 'interrupted' | 'done';

/** How far a run is. */
export function runStage({ isRunning, progress, lost, answers, unsent }: StoredRun): RunStage {
  if (isRunning) return 'running';
  if (progress.waiting > 0) return 'waiting';
  if (lost > 0) return 'interrupted';
  if (progress.elsewhere.size > 0) return 'waiting';
  const isEmpty = progress.answered === 0 && progress.failed === 0 && unsent >= progress.requests;
  return answers.size === 0 || (isEmpty && progress.requests > 0) ? 'none' : 'done';
}

/** Whether a run has all rows of the eval, and all results that it will get. */
export function isComplete({ plan, plannedRows, unsent, lost, progress, isRunning }: StoredRun): boolean {
  return (
    plan.rows.length === plannedRows && unsent + lost + progress.waiting + progress.elsewhere.size === 0 && !isRunning
  );
}

/** Names of the graders that fail a row with a variant. */
export function failedIn({ plan, graded }: StoredRun, hash: string, variantId: string): readonly string[] {
  const variant = plan.variants.find(({ id }) => id === variantId);
  const cells = ((variant && graded.get(variant)) ?? []).filter(({ row }) => row === hash);
  const names = cells.flatMap((cell) =>
    cell.scores
      .map(({ name }) => name)
      .filter((name) => {
        const grade = gradeNamed(cell, name);
        return 'pass' in grade && !grade.pass;
      }),
  );
  return [...new Set(names)];
}

/** The folder of results of requests that are sent now, in a run folder. */
export function resultsIn(folder: string): string {
  return join(folder, 'results');
}
