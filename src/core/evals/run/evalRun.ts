import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { EvalAssertion } from '../evalConfig';
import { tokenCost } from '../../prices/prices';
import type { PriceBook } from '../evalFacts';
import { cellId, cellsOf, gradedByService, hashOf, isMeasured, leavesOf, judgedIn, requestOf } from '../evalPlan';
import type { EvalCell, EvalPlan, EvalVariant, GraderModels } from '../evalPlan';
import { gradeCell, graderId } from '../graders/gradeCell';
import type { GradedCell } from '../graders/gradeCell';
import { canJudge, judgeLimit, judgeMessages } from '../graders/judge';
import type { JudgeMessage } from '../graders/judge';
import { addedUp, maxScoreGrade, totalOf } from '../graders/maxScore';
import type { Total } from '../graders/maxScore';
import { measureOf, readMeasure } from '../graders/measures';
import { goldJudgedIn, pairGrade, pairMessages, pairTypes, readPreference } from '../graders/pairs';
import type { Grade, GradedResponse } from '../graders/score';
import type { JudgedPair } from '../statistics/judges';
import { requestKey } from './runFolder';
import type { EvalRequest, EvalRunFolder, SavedResponse, SentFile, Submitter } from './runFolder';

/** How files of requests reach the service of an account. */
export interface EvalService {
  /** Part of the cache key. */
  readonly origin: string;
  /** Submits a batch of the file, if none was: also after a crash in the middle, it is never submitted twice. */
  submit(sent: SentFile, signal: AbortSignal): Promise<void>;
  /** Sends the requests one by one. Resolves once all have a result, or with why no more can be sent. */
  runNow(sent: SentFile, signal: AbortSignal): Promise<string | undefined>;
  /** Where the results so far are, and whether more will come. What an interrupted run left under way is recorded as failed. */
  look(sent: SentFile, signal: AbortSignal): Promise<SentState>;
}

export interface SentState {
  readonly folder?: string;
  readonly isOver: boolean;
  /** Set if the batch failed or its results cannot be had. */
  readonly problem?: string;
  /** Set if a batch may exist that has no job here: where it was submitted from. Its requests are sent again only with `retriesFailed`. */
  readonly elsewhere?: Submitter | 'unknown';
}

export interface EvalRunOptions extends GraderModels {
  /** In the account's currency. Responses that report their own cost need none. */
  readonly prices: PriceBook;
  /** Also sends requests again that failed. */
  readonly retriesFailed?: boolean;
}

/** What remains of a run. */
export interface RunProgress {
  readonly requests: number;
  readonly answered: number;
  readonly failed: number;
  /** Sent, without a result yet. */
  readonly waiting: number;
  readonly problems: readonly string[];
  /** For batches that may exist and have no job here: what to do about them, with the number of their requests. */
  readonly elsewhere: ReadonlyMap<string, number>;
}

/** A cell with what has come of it. */
export interface CellAnswer {
  readonly cell: EvalCell;
  readonly response?: GradedResponse;
  readonly failure?: string;
}

/** An answer whose grade is known, with the judge's. */
export interface GoldGrade {
  readonly isPassing: boolean;
  /** Whether the judge passes it; absent without a verdict. */
  readonly judged?: boolean;
}

/** One run of a planned eval: what is to be sent next, and the scores of what has come. Generation first, then the judge. */
export class EvalRun {
  private readonly open = new Set<string>();
  private readonly problems = new Set<string>();
  /** By key: where a batch of the request was submitted, if its job isn't here. */
  private readonly elsewhere = new Map<string, Submitter | 'unknown'>();
  /** With the key of its request, if it needs one. Bodies aren't kept: together they are larger than the plan that they are made of. */
  private readonly cells: readonly (readonly [EvalCell, string | undefined])[];
  /** With the first variant, which stands for any, and only with what a judge grades. */
  private readonly goldCells: readonly EvalCell[];
  private readonly byId: ReadonlyMap<string, readonly [EvalCell, string | undefined]>;
  /** By ID of a cell: its scores with the response that they are of, if nothing else decides them. */
  private readonly knownGrades = new Map<
    string,
    { readonly saved: SavedResponse | undefined; readonly cell: GradedCell }
  >();
  /** What `max-score` compares, by row, repeat, and assertion. */
  private readonly totals = new Map<string, readonly Total[]>();
  /** Keys of the requests to the judge by the responses so far, which only `refresh` adds to. */
  private knownJudged: readonly string[] | undefined;

  constructor(
    private readonly plan: EvalPlan,
    private readonly folder: EvalRunFolder,
    private readonly service: EvalService,
    private readonly options: EvalRunOptions,
  ) {
    this.cells = Array.from(cellsOf(plan), (cell) => [cell, generation(cell, service.origin)?.key]);
    const [variant] = plan.variants;
    this.goldCells = plan.gold.flatMap((row) => {
      const assertions = goldJudgedIn(row);
      if (!variant || assertions.length === 0) return [];
      return [{ id: cellId(row.hash, variant.id, 0), row: { ...row, assertions }, variant, repeat: 0 }];
    });
    this.byId = new Map(this.cells.map((one) => [one[0].id, one]));
  }

  /**
   * Writes what the run is of, as the first file of its folder. `file`: the name of the eval file. `models`: those that grade the next runs too,
   * unless others are named.
   */
  async writeManifest(file: string, models: GraderModels = this.options): Promise<void> {
    const { rows, repeats, variants } = this.plan;
    const manifest = {
      version: 1,
      file,
      origin: this.service.origin,
      repeats,
      rows: rows.length,
      judge: models.judge,
      embeddings: models.embeddings,
      variants: variants.map(({ id, label, provider }) => ({ id, label, model: provider.model })),
    };
    await this.folder.writeFile(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
  }

  /** Takes over all results that have come. */
  async refresh(signal: AbortSignal): Promise<void> {
    this.knownJudged = undefined;
    this.open.clear();
    this.problems.clear();
    this.elsewhere.clear();
    for (const sent of this.folder.sentFiles) {
      if (this.folder.resultsOf(sent) >= sent.keys.size) continue;
      const { folder, isOver, problem, elsewhere } = await this.service.look(sent, signal);
      if (folder !== undefined) await this.folder.takeOver(sent, folder);
      if (problem !== undefined) this.problems.add(problem);
      for (const key of sent.keys.values()) {
        if (this.folder.responseTo(key)) continue;
        if (!isOver) this.open.add(key);
        else if (elsewhere !== undefined) this.elsewhere.set(key, elsewhere);
      }
    }
    // A batch that was submitted again here has them.
    for (const key of this.elsewhere.keys())
      if (this.open.has(key) || this.folder.responseTo(key)) this.elsewhere.delete(key);
    // They may have been built while responses came.
    this.knownJudged = undefined;
  }

  /** Requests to send now: those of the judge once no response is awaited. */
  next(): readonly EvalRequest[] {
    const { generated } = this;
    const isMissing = (key: string) => this.isMissing(key);
    if (generated.some(isMissing)) return this.missing(this.generations());
    const isAwaited = generated.some((key) => this.open.has(key) || this.elsewhere.has(key));
    return !isAwaited && this.judged.some(isMissing) ? this.missing(this.judgements()) : [];
  }

  /** Hashes of the rows of which a request was ever written to be sent, and of those that need none. */
  get startedRows(): ReadonlySet<string> {
    const sent = new Set(this.folder.sentFiles.flatMap(({ keys }) => [...keys.values()]));
    const started = this.cells.filter(([, key]) => key === undefined || sent.has(key));
    return new Set(started.map(([{ row }]) => row.hash));
  }

  get progress(): RunProgress {
    const all = [...this.generated, ...this.judged];
    const known = all.map((key) => this.folder.responseTo(key));
    return {
      requests: all.length,
      answered: known.filter((one) => one && one.failure === undefined).length,
      failed: known.filter((one) => one?.failure !== undefined).length,
      waiting: all.filter((key) => this.open.has(key)).length,
      problems: [...this.problems],
      elsewhere: this.elsewhereOf(all),
    };
  }

  private elsewhereOf(keys: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const key of new Set(keys)) {
      const place = this.elsewhere.get(key);
      if (place === undefined) continue;
      const text = elsewhereText(place);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return counts;
  }

  /** The scores of all cells, by variant. */
  graded(): ReadonlyMap<EvalVariant, readonly GradedCell[]> {
    const byVariant = new Map<EvalVariant, GradedCell[]>(this.plan.variants.map((variant) => [variant, []]));
    this.totals.clear();
    for (const [cell, key] of this.cells) byVariant.get(cell.variant)?.push(this.gradedCell(cell, key));
    return byVariant;
  }

  private gradedCell(cell: EvalCell, key: string | undefined): GradedCell {
    const saved = this.savedTo(key);
    const known = this.knownGrades.get(cell.id);
    if (known && known.saved === saved) return known.cell;
    const response = this.responseOf(cell, key);
    const result = gradeCell(cell, response, (_, assertion) => this.verdictOn(cell, response, assertion));
    // Prices can change between two looks.
    const isFinal = cell.row.assertions
      .flatMap(leavesOf)
      .every((one) => one.class !== 'service' && !['cost', 'max-score'].includes(one.type));
    if (isFinal) this.knownGrades.set(cell.id, { saved, cell: result });
    return result;
  }

  /** All cells with their responses so far, the variants of a row next to each other. `failure`: why the service has not answered. */
  *answers(): Iterable<CellAnswer> {
    for (const [cell, key] of this.cells) {
      const response = this.responseOf(cell, key);
      const failure = this.savedTo(key)?.failure;
      yield { cell, ...(response && { response }), ...(failure !== undefined && { failure }) };
    }
  }

  /** Cost of all responses that the run uses; `undefined` if one is unknown. */
  get cost(): number | undefined {
    return this.sumOf([...this.generated, ...this.judged]);
  }

  /** Cost of a variant's responses without their grades; `undefined` if one is unknown. */
  costOfVariant({ id }: EvalVariant): number | undefined {
    return this.sumOf(this.cells.flatMap(([{ variant }, key]) => (variant.id === id ? (key ?? []) : [])));
  }

  private sumOf(keys: readonly string[]): number | undefined {
    let sum = 0;
    for (const key of keys) {
      const saved = this.folder.responseTo(key);
      const cost = saved && saved.failure === undefined ? this.costOf(saved) : 0;
      if (cost === undefined) return undefined;
      sum += cost;
    }
    return sum;
  }

  /** Returns `undefined` if the response reports no cost and the price is unknown. */
  private costOf({ reportedCost, model, tokens, how }: SavedResponse): number | undefined {
    if (reportedCost !== undefined) return reportedCost;
    const { pricesOf, batchDiscount } = this.options.prices;
    const price = pricesOf(model) ?? this.plan.variants.find((one) => one.provider.model === model)?.provider.prices;
    const full = price && tokenCost(price, { inputTokens: tokens.input, outputTokens: tokens.output });
    return full === undefined ? undefined : full * (how === 'batch' ? batchDiscount : 1);
  }

  /** Equal requests are sent once. */
  private missing(requests: Iterable<EvalRequest>): readonly EvalRequest[] {
    const missing = new Map<string, EvalRequest>();
    for (const request of requests) if (this.isMissing(request.key)) missing.set(request.key, request);
    return [...missing.values()];
  }

  private isMissing(key: string): boolean {
    // What fails, or has no result once its batch has ended, is sent again only by another run.
    if (this.open.has(key) || this.folder.hasWritten(key)) return false;
    const saved = this.folder.responseTo(key);
    if (!saved && this.elsewhere.has(key)) return this.options.retriesFailed === true;
    return !saved || (saved.failure !== undefined && this.options.retriesFailed === true);
  }

  private savedTo(key: string | undefined): SavedResponse | undefined {
    return key === undefined ? undefined : this.folder.responseTo(key);
  }

  private responseOf(cell: EvalCell, key: string | undefined): GradedResponse | undefined {
    if (key === undefined) return echo(cell);
    const saved = this.folder.responseTo(key);
    if (!saved || saved.failure !== undefined) return undefined;
    const cost = this.costOf(saved);
    return { ...saved, ...(cost !== undefined && { cost }) };
  }

  /** Keys of the requests for responses. */
  private get generated(): readonly string[] {
    return this.cells.flatMap(([, key]) => key ?? []);
  }

  private *generations(): Iterable<EvalRequest> {
    const { origin } = this.service;
    for (const [cell, key] of this.cells) if (key !== undefined && this.isMissing(key)) yield generation(cell, origin)!;
  }

  private get judged(): readonly string[] {
    return (this.knownJudged ??= Array.from(this.judgements(), ({ key }) => key));
  }

  private *judgements(): Iterable<EvalRequest> {
    for (const [cell, key] of this.cells) {
      const assertions = gradedByService(cell.row);
      const response = assertions.length === 0 ? undefined : this.responseOf(cell, key);
      if (!response || response.isTruncated) continue;
      for (const assertion of assertions) yield* this.gradesOf(cell, assertion, response.text);
    }
    for (const cell of this.goldCells)
      for (const assertion of cell.row.assertions) yield* this.gradesOf(cell, assertion, cell.row.output ?? '');
  }

  private gradesOf(cell: EvalCell, assertion: EvalAssertion, text: string): readonly EvalRequest[] {
    const { judge } = this.options;
    if (isMeasured(assertion)) return [this.measure(cell, assertion, text)?.request].filter((one) => one !== undefined);
    if (judge === undefined || !canJudge(assertion, cell)) return [];
    if (pairTypes.has(assertion.type)) return this.comparisons(judge, cell, assertion);
    return [this.judgement(judge, cell, { assertion, text })];
  }

  /** What the judge says of answers whose grade is known. Rows that no judge grades are left out. */
  get goldGrades(): readonly GoldGrade[] {
    return this.goldCells.map((cell) => {
      const { result } = gradeCell(cell, echo(cell), (_, assertion) => {
        const [request] = this.gradesOf(cell, assertion, cell.row.output ?? '');
        const saved = this.savedTo(request?.key);
        return saved?.failure === undefined ? saved?.text : undefined;
      });
      return { isPassing: cell.row.gold === 'pass', ...('pass' in result && { judged: result.pass }) };
    });
  }

  /** The request that measures an answer, or its grade if it needs none; undefined without a model. */
  private measure(
    cell: EvalCell,
    assertion: EvalAssertion,
    text: string,
  ): { readonly request?: EvalRequest; readonly grade?: Grade } | undefined {
    const { embeddings } = this.options;
    const measure = measureOf(assertion, cell, { text, embeddings });
    if (!measure || 'grade' in measure) return measure;
    const { body } = measure;
    const id = graded(cell, assertion).replace(/^j/, 'm');
    return { request: { id, key: requestKey(this.service.origin, body, 0), body } };
  }

  /** Equal answers to a row have one verdict, which is paid for once. */
  private judgement(
    judge: string,
    cell: EvalCell,
    { assertion, text }: { readonly assertion: EvalAssertion; readonly text: string },
  ): EvalRequest {
    return this.toJudge(judge, judgeMessages(assertion, cell, text), graded(cell, assertion), assertion);
  }

  private toJudge(judge: string, messages: readonly JudgeMessage[], id: string, assertion: EvalAssertion): EvalRequest {
    const body = { model: judge, messages, temperature: 0, max_tokens: judgeLimit(assertion) };
    return { id, key: requestKey(this.service.origin, body, 0), body };
  }

  /** The two requests that compare a cell with that of the first variant, in both orders. Equal answers need none. */
  private comparisons(judge: string, cell: EvalCell, assertion: EvalAssertion): readonly EvalRequest[] {
    const [first, second] = this.pairedTexts(cell) ?? [];
    if (first === undefined || second === undefined || first === second) return [];
    return [[first, second] as const, [second, first] as const].map((texts, index) =>
      this.toJudge(judge, pairMessages(assertion, cell, texts), `${graded(cell, assertion)}.${index}`, assertion),
    );
  }

  /** The answers of the first variant and of the cell's; undefined for the first variant itself, and while one is missing. */
  private pairedTexts(cell: EvalCell): readonly [string, string] | undefined {
    const [first] = this.plan.variants;
    if (!first || cell.variant.id === first.id) return undefined;
    const [one, other] = [first, cell.variant].map((variant) => {
      const [its, key] = this.byId.get(cellId(cell.row.hash, variant.id, cell.repeat)) ?? [];
      return its && this.responseOf(its, key);
    });
    if (!one || !other || one.isTruncated || other.isTruncated) return undefined;
    return [one.text, other.text];
  }

  /** What the judge says of a cell next to that of the first variant; undefined if it has not said it yet. */
  private pairOf(cell: EvalCell, assertion: EvalAssertion): JudgedPair | undefined {
    const { judge } = this.options;
    const [first, second] = this.pairedTexts(cell) ?? [];
    if (judge === undefined || first === undefined || second === undefined) return undefined;
    const lengths = { firstLength: first.length, secondLength: second.length };
    if (first === second) return { forward: 'tie', swapped: 'tie', ...lengths };
    const [forward, swapped] = this.comparisons(judge, cell, assertion).map(({ key }) => this.folder.responseTo(key));
    if (!forward || !swapped || forward.failure !== undefined || swapped.failure !== undefined) return undefined;
    const named = { first: 'second', second: 'first', tie: 'tie' } as const;
    const turned = readPreference(swapped.text);
    return { forward: readPreference(forward.text), swapped: turned && named[turned], ...lengths };
  }

  /** The first variant passes if it loses to none of the others. */
  private pairedGrade(cell: EvalCell, assertion: EvalAssertion): Grade | undefined {
    const [first, ...others] = this.plan.variants;
    if (others.length === 0) return { missing: 'notGraded' };
    if (cell.variant.id !== first?.id) {
      const pair = this.pairOf(cell, assertion);
      return pair && pairGrade(pair, 'second', assertion.isNegated);
    }
    const pairs = others.map((variant) => this.pairOf({ ...cell, variant }, assertion));
    const grades = pairs.map((pair) => pair && pairGrade(pair, 'first', assertion.isNegated));
    const values = grades.flatMap((grade) => (grade && 'value' in grade ? [grade] : []));
    if (values.length < grades.length) return grades.find((grade) => grade && 'missing' in grade);
    const value = values.reduce((sum, one) => sum + one.value, 0) / values.length;
    return { value, pass: values.every(({ pass }) => pass) };
  }

  /** By ID of a variant: what the judge says of its answers next to those of the first variant, for assertions that compare them. */
  get judgedPairs(): ReadonlyMap<string, readonly JudgedPair[]> {
    const pairs = new Map<string, JudgedPair[]>();
    for (const [cell] of this.cells)
      for (const assertion of judgedIn(cell.row)) {
        if (!pairTypes.has(assertion.type) || !this.pairedTexts(cell)) continue;
        const list = pairs.get(cell.variant.id) ?? [];
        const missing = { forward: undefined, swapped: undefined, firstLength: 0, secondLength: 0 };
        list.push({ ...(this.pairOf(cell, assertion) ?? missing), row: cell.row.hash });
        pairs.set(cell.variant.id, list);
      }
    return pairs;
  }

  private highestScore({ row, variant, repeat }: EvalCell, assertion: EvalAssertion): Grade {
    const { variants } = this.plan;
    const [place, added] = [`${row.hash} ${repeat} ${graderId(assertion)}`, addedUp(row)];
    const totals =
      this.totals.get(place) ??
      variants.map(({ id }) => {
        const [cell, key] = this.byId.get(cellId(row.hash, id, repeat))!;
        if (this.savedTo(key)?.failure !== undefined) return undefined;
        const response = this.responseOf(cell, key);
        const compared = { ...cell, row: { ...row, assertions: added } };
        const { scores } = gradeCell(compared, response, (_, one) => this.verdictOn(cell, response, one));
        return totalOf(assertion, added, scores);
      });
    this.totals.set(place, totals);
    return maxScoreGrade(assertion, variants.indexOf(variant), totals);
  }

  private verdictOn(
    cell: EvalCell,
    response: GradedResponse | undefined,
    assertion: EvalAssertion,
  ): string | Grade | undefined {
    const { judge } = this.options;
    if (!response) return undefined;
    if (assertion.type === 'max-score') return this.highestScore(cell, assertion);
    if (isMeasured(assertion)) {
      const { request, grade } = this.measure(cell, assertion, response.text) ?? {};
      const measured = request && this.folder.responseTo(request.key);
      return measured && measured.failure === undefined ? readMeasure(assertion, measured.text) : grade;
    }
    if (!canJudge(assertion, cell)) return { missing: 'badExpectation' };
    if (judge === undefined) return undefined;
    if (pairTypes.has(assertion.type)) return this.pairedGrade(cell, assertion);
    const saved = this.folder.responseTo(this.judgement(judge, cell, { assertion, text: response.text }).key);
    return saved?.failure === undefined ? saved?.text : undefined;
  }
}

function graded({ row, variant, repeat }: EvalCell, assertion: EvalAssertion): string {
  return `j1.${row.hash}.${variant.id}.${repeat}.${graderId(assertion)}`;
}

function generation(cell: EvalCell, origin: string): EvalRequest | undefined {
  if (cell.variant.provider.kind !== 'service' || cell.row.output !== undefined) return undefined;
  const { body } = requestOf(cell);
  return { id: cell.id, key: requestKey(origin, body, cell.repeat), body };
}

/** What to do about a batch that may exist and has no job here. */
function elsewhereText(place: Submitter | 'unknown'): string {
  if (place === 'window')
    return l10n.t(
      'VS Code may have submitted a batch for this run, so show the eval results there. If you retry here, you may be charged twice.',
    );
  if (place === 'commandLine')
    return l10n.t(
      'The command line may have submitted a batch for this run, so collect the results there. If you retry here, you may be charged twice.',
    );
  return l10n.t(
    "A batch for this run may have been submitted elsewhere, so check the service's console. If you retry here, you may be charged twice.",
  );
}

/** The answer that the file has, or the prompt itself for `echo`. */
function echo(cell: EvalCell): GradedResponse {
  const content = requestOf(cell).body.messages.at(-1)?.content;
  const text = cell.row.output ?? (typeof content === 'string' ? content : JSON.stringify(content ?? ''));
  return { text, calls: [], finish: 'stop', isTruncated: false, isRefused: false, cost: 0 };
}

/** The file that each run folder has. */
export const manifestFile = 'manifest.json';
/** The folder of the run of an eval file, next to it. */
export function runFolderOf(file: string): string {
  const name = file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
  const folder = join(dirname(file), `${name || hashOf(file, 8)}.eval`);
  // A log of Inspect has this name itself.
  return folder === file ? `${file}.eval` : folder;
}
