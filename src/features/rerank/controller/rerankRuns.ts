import type { RerankForm, RerankProgress, SplitBy } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import { performComparison, performRanking } from './performRanking';
import { readForm } from './readForm';
import type { SavedComparison, SavedRanking, RankParameters } from './rerankRecord';
import type { RerankController, NewResult } from './rerankController';
import { askFromRequests, mostDocuments, planSending } from './documents';

interface RunObserver {
  readonly signal: AbortSignal;
  readonly emit: (progress: RerankProgress) => void;
}

/** Ranks the documents that are not excluded, with the parameters of the form. Throws `UserError` before anything is sent. */
export async function runRanking(controller: RerankController, form: RerankForm, follower: RunObserver): Promise<void> {
  controller.type(form);
  const order = checkedOrder(controller, form);
  const sent = checkedSent(controller);
  if (await mayBeSent(controller, sent, order.query, 1)) await rank(controller, { order, sent }, follower);
}

/** Requests what the last ranking lacks, with its parameters. */
export async function goOnRanking(controller: RerankController, follower: RunObserver): Promise<void> {
  const already = controller.ranking;
  await rank(controller, { order: already.order, sent: already.sent, already }, follower);
}

interface Wanted {
  readonly order: RankParameters;
  readonly sent: readonly number[];
  readonly already?: SavedRanking;
}

async function rank(controller: RerankController, wanted: Wanted, follower: RunObserver): Promise<void> {
  const { options, source, record } = controller;
  const { words, now } = options;
  const keeper = createResultSaver(controller, record.by);
  await remember(controller, wanted.order);
  await controller.start(
    'ranking',
    async (onProgress, signal) => {
      const service = options.openService();
      try {
        const ranking = await performRanking(
          {
            ...wanted,
            create: service.create,
            documents: source.documents,
            describe: describing(controller, signal),
            now,
            onProgress: (done, total) => onProgress({ done, total, text: words.progress(done, total) }),
            onAnswer: (came) => keeper.soon({ ranking: asStopped(came, controller) }),
          },
          signal,
        );
        await keeper.last({ ranking });
      } finally {
        service.close();
      }
    },
    follower,
  );
}

/** Ranks the same documents with several models, each with the parameters it supports. */
export async function runComparison(
  controller: RerankController,
  { form, models, k }: { readonly form: RerankForm; readonly models: readonly string[]; readonly k: number },
  follower: RunObserver,
): Promise<void> {
  const { options, source, record } = controller;
  const { words, now } = options;
  controller.type(form);
  const chosen = [...new Set(models)];
  if (chosen.length < 2) throw words.twoModels();
  const order = checkedOrder(controller, { ...form, model: chosen[0]! });
  const sent = checkedSent(controller);
  if (!(await mayBeSent(controller, sent, order.query, chosen.length))) return;
  const keeper = createResultSaver(controller, record.by);
  const columns = controller.comparison?.columns ?? [];
  const known = [record.rankings[record.by], ...columns.map(({ ranking }) => ranking)].filter(
    (ranking) => ranking !== undefined,
  );
  await remember(controller, { query: order.query });
  await controller.start(
    'comparison',
    async (onProgress, signal) => {
      const service = options.openService();
      try {
        const comparison = await performComparison(
          {
            create: service.create,
            documents: source.documents,
            form,
            models: chosen,
            k,
            sent,
            known,
            describe: describing(controller, signal),
            now,
            onProgress: (done, total, model) =>
              onProgress({ done, total, text: words.comparing(model, done % sent.length, sent.length) }),
            onAnswer: (came: SavedComparison) => hasRanking(came) && keeper.soon({ comparison: came }),
          },
          signal,
        );
        // If it was stopped before any response, keep the previous comparison.
        await keeper.last(hasRanking(comparison) || !signal.aborted ? { comparison } : {});
      } finally {
        service.close();
      }
    },
    follower,
  );
}

const hasRanking = ({ columns }: SavedComparison): boolean => columns.some(({ ranking }) => ranking);

async function remember(
  { options }: RerankController,
  { query, model }: { query: string; model?: string },
): Promise<void> {
  await Promise.all([options.queries.add(query), model === undefined ? undefined : options.useModel(model)]);
}

/** Marks a partial ranking as stopped, so that the rest can be requested later even if the window closes now. */
function asStopped(ranking: SavedRanking, { options }: RerankController): SavedRanking {
  const asked = ranking.slices.reduce((sum, { indexes }) => sum + indexes.length, 0);
  return asked < ranking.sent.length ? { ...ranking, failure: options.words.stopped() } : ranking;
}

function describing({ options }: RerankController, signal: AbortSignal): (error: unknown) => WireError {
  return (error) => (signal.aborted ? options.words.stopped() : options.describe(error));
}

function checkedOrder({ options: { words } }: RerankController, form: RerankForm): RankParameters {
  const { order, issues } = readForm(form);
  const [wrong] = issues;
  if (order.query === '') throw words.noQuery();
  if (order.model === '') throw words.noModel();
  if (wrong) throw words.wrongField(words.issue(wrong));
  return order;
}

function checkedSent({ source: { sent }, options: { words } }: RerankController): readonly number[] {
  if (sent.length === 0) throw words.nothingToSend();
  if (sent.length > mostDocuments) throw words.tooMany(sent.length);
  return sent;
}

/** Asks for confirmation if there are many requests. */
async function mayBeSent(
  { source, options }: RerankController,
  sent: readonly number[],
  query: string,
  models: number,
): Promise<boolean> {
  const plan = planSending(source.documents, sent, query);
  const requests = plan.requests * models;
  if (requests < askFromRequests) return true;
  return options.confirm({ ...plan, requests, tokens: plan.tokens * models });
}

/** Saves the results of a run while it is in progress. */
interface ResultSaver {
  /** Queues a save; of several queued during a write, only the last is written. */
  soon(result: NewResult): void;
  /** Saves the final result: resolves once it is written, or writing has failed. */
  last(result: NewResult): Promise<void>;
}

function createResultSaver(controller: RerankController, by: SplitBy): ResultSaver {
  let next: NewResult | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    for (let result = next; result; result = next) {
      next = undefined;
      await controller.keepResult(by, result);
    }
    writing = undefined;
  };
  return {
    soon(result) {
      next = result;
      writing ??= writeAll();
    },
    async last(result) {
      next = undefined;
      await writing;
      await controller.keepResult(by, result);
    },
  };
}
