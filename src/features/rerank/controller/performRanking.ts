import { rankInSlices } from '../../../core/ranking/rankInSlices';
import type { CreateRanking, RankedSlice } from '../../../core/ranking/rankInSlices';
import { usualLimits } from '../../../core/ranking/slices';
import type { WireError } from '../../../protocol/wire';
import type { SourceDocuments } from './documents';
import type { SavedRanking, SavedSlice, RankParameters, SavedColumn, SavedComparison } from './rerankRecord';
import type { RerankForm } from '../../../protocol/rerank';
import { hasSameParameters, readForm } from './readForm';

interface RankingWork {
  readonly create: CreateRanking;
  readonly documents: SourceDocuments;
  readonly order: RankParameters;
  /** Indexes into the documents. */
  readonly sent: readonly number[];
  /** A partial ranking of the same parameters and documents, to be completed. */
  readonly already?: SavedRanking | undefined;
  readonly describe: (error: unknown) => WireError;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** In documents. */
  readonly onProgress: (done: number, total: number) => void;
  /** Called after each response, to save it, because it is paid for. */
  readonly onAnswer: (ranking: SavedRanking) => void;
}

/** Resolves to the ranking, possibly partial with the reason in `failure`; rejects if there was no response at all. */
export async function performRanking(work: RankingWork, signal: AbortSignal): Promise<SavedRanking> {
  const { create, documents, order, sent, already, describe, now, onProgress, onAnswer } = work;
  const startedAt = now();
  const soFar = (slices: readonly RankedSlice[]): SavedRanking => ({
    order,
    sent,
    slices: slices.map(withoutCopies),
    at: startedAt,
    durationMs: (already?.durationMs ?? 0) + now() - startedAt,
  });
  const request = { ...order, documents: sent.map((index) => documents.list[index]!.text) };
  const { slices, failure } = await rankInSlices(
    create,
    request,
    {
      limits: usualLimits,
      ...(already && { already: already.slices }),
      onProgress: (done, total, came) => {
        onAnswer(soFar(came));
        onProgress(done, total);
      },
    },
    signal,
  );
  return { ...soFar(slices), ...(failure && { failure: describe(failure.error) }) };
}

function withoutCopies({ documents: _copies, ...slice }: RankedSlice): SavedSlice {
  return slice;
}

interface ComparisonWork {
  readonly create: CreateRanking;
  readonly documents: SourceDocuments;
  readonly form: RerankForm;
  readonly models: readonly string[];
  readonly k: number;
  readonly sent: readonly number[];
  /** Complete rankings that are reused instead of paying for them again. */
  readonly known: readonly SavedRanking[];
  readonly describe: (error: unknown) => WireError;
  readonly now: () => number;
  readonly onProgress: (done: number, total: number, model: string) => void;
  /** Called after each response, to save it. */
  readonly onAnswer: (comparison: SavedComparison) => void;
}

/** Ranks with one model after the other, so that they do not affect each other's times. A model that fails gets its error. */
export async function performComparison(work: ComparisonWork, signal: AbortSignal): Promise<SavedComparison> {
  const { form, models, k, sent, known, describe, onProgress, onAnswer } = work;
  const columns: SavedColumn[] = [];
  const soFar = (...more: readonly SavedColumn[]): SavedComparison => ({
    query: form.query.trim(),
    k,
    columns: [...columns, ...more],
  });
  for (const [at, model] of models.entries()) {
    const { order } = readForm({ ...form, model });
    const before = at * sent.length;
    const total = models.length * sent.length;
    onProgress(before, total, model);
    const same = known.find(
      (ranking) => isWhole(ranking) && hasSameParameters(ranking.order, order) && isSameList(ranking, sent),
    );
    try {
      const ranking =
        same ??
        (await performRanking(
          {
            ...work,
            order,
            onProgress: (done) => onProgress(before + done, total, model),
            onAnswer: (came) => onAnswer(soFar({ model, ranking: came })),
          },
          signal,
        ));
      columns.push({ model, ranking });
    } catch (error) {
      columns.push({ model, trouble: describe(error) });
    }
    onAnswer(soFar());
    if (signal.aborted) break;
  }
  return soFar();
}

function isWhole({ failure }: SavedRanking): boolean {
  return failure === undefined;
}

function isSameList({ sent }: SavedRanking, other: readonly number[]): boolean {
  return sent.length === other.length && sent.every((index, at) => index === other[at]);
}
