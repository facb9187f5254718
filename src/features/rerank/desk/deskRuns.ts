import type { RerankForm, RerankProgress } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import { performComparison } from './performComparison';
import { performRanking } from './performRanking';
import { readForm } from './readForm';
import type { KeptComparison, KeptRanking, RankOrder } from './rerankRecord';
import type { RerankDesk } from './rerankDesk';
import { createResultKeeper } from './resultKeeper';
import { askFromRequests, mostDocuments, planSending } from './sending';

export interface Follower {
  readonly signal: AbortSignal;
  readonly emit: (progress: RerankProgress) => void;
}

/** Ranks what is not left out, as the form says. Throws in words before anything is sent. */
export async function runRanking(desk: RerankDesk, form: RerankForm, follower: Follower): Promise<void> {
  desk.type(form);
  const order = checkedOrder(desk, form);
  const sent = checkedSent(desk);
  if (await mayBeSent(desk, sent, order.query, 1)) await rank(desk, { order, sent }, follower);
}

/** Asks for what the last ranking lacks, as it was asked. */
export async function goOnRanking(desk: RerankDesk, follower: Follower): Promise<void> {
  const already = desk.ranking;
  await rank(desk, { order: already.order, sent: already.sent, already }, follower);
}

interface Wanted {
  readonly order: RankOrder;
  readonly sent: readonly number[];
  readonly already?: KeptRanking;
}

async function rank(desk: RerankDesk, wanted: Wanted, follower: Follower): Promise<void> {
  const { options, source, record } = desk;
  const { words, now } = options;
  const keeper = createResultKeeper(desk, record.by);
  await remember(desk, wanted.order);
  await desk.start(
    'ranking',
    async (onProgress, signal) => {
      const service = options.openService();
      try {
        const ranking = await performRanking(
          {
            ...wanted,
            create: service.create,
            documents: source.documents,
            describe: describing(desk, signal),
            now,
            onProgress: (done, total) => onProgress({ done, total, text: words.progress(done, total) }),
            onAnswer: (came) => keeper.soon({ ranking: asStopped(came, desk) }),
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

/** Ranks the same documents with several models, each with the parameters it takes. */
export async function runComparison(
  desk: RerankDesk,
  { form, models, k }: { readonly form: RerankForm; readonly models: readonly string[]; readonly k: number },
  follower: Follower,
): Promise<void> {
  const { options, source, record } = desk;
  const { words, now } = options;
  desk.type(form);
  const chosen = [...new Set(models)];
  if (chosen.length < 2) throw words.twoModels();
  const order = checkedOrder(desk, { ...form, model: chosen[0]! });
  const sent = checkedSent(desk);
  if (!(await mayBeSent(desk, sent, order.query, chosen.length))) return;
  const keeper = createResultKeeper(desk, record.by);
  const columns = desk.comparison?.columns ?? [];
  const known = [record.rankings[record.by], ...columns.map(({ ranking }) => ranking)].filter(
    (ranking) => ranking !== undefined,
  );
  await remember(desk, { query: order.query });
  await desk.start(
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
            describe: describing(desk, signal),
            now,
            onProgress: (done, total, model) =>
              onProgress({ done, total, text: words.comparing(model, done % sent.length, sent.length) }),
            onAnswer: (came: KeptComparison) => hasRanking(came) && keeper.soon({ comparison: came }),
          },
          signal,
        );
        // One that was stopped before anything came leaves what was there before.
        await keeper.last(hasRanking(comparison) || !signal.aborted ? { comparison } : {});
      } finally {
        service.close();
      }
    },
    follower,
  );
}

const hasRanking = ({ columns }: KeptComparison): boolean => columns.some(({ ranking }) => ranking);

async function remember({ options }: RerankDesk, { query, model }: { query: string; model?: string }): Promise<void> {
  await Promise.all([options.queries.add(query), model === undefined ? undefined : options.useModel(model)]);
}

/** Should this window end now, what lacks can be asked for later. */
function asStopped(ranking: KeptRanking, { options }: RerankDesk): KeptRanking {
  const asked = ranking.slices.reduce((sum, { indexes }) => sum + indexes.length, 0);
  return asked < ranking.sent.length ? { ...ranking, failure: options.words.stopped() } : ranking;
}

function describing({ options }: RerankDesk, signal: AbortSignal): (error: unknown) => WireError {
  return (error) => (signal.aborted ? options.words.stopped() : options.describe(error));
}

function checkedOrder({ options: { words } }: RerankDesk, form: RerankForm): RankOrder {
  const { order, issues } = readForm(form);
  const [wrong] = issues;
  if (order.query === '') throw words.noQuery();
  if (order.model === '') throw words.noModel();
  if (wrong) throw words.wrongField(words.issue(wrong));
  return order;
}

function checkedSent({ source: { sent }, options: { words } }: RerankDesk): readonly number[] {
  if (sent.length === 0) throw words.nothingToSend();
  if (sent.length > mostDocuments) throw words.tooMany(sent.length);
  return sent;
}

/** Asks where much is sent. */
async function mayBeSent(
  { source, options }: RerankDesk,
  sent: readonly number[],
  query: string,
  models: number,
): Promise<boolean> {
  const plan = planSending(source.documents, sent, query);
  const requests = plan.requests * models;
  if (requests < askFromRequests) return true;
  return options.confirm({ ...plan, requests, tokens: plan.tokens * models });
}
