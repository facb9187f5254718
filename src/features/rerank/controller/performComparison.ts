import type { CreateRanking } from '../../../core/ranking/rankInSlices';
import type { RerankForm } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import type { SourceDocuments } from './documents';
import { performRanking } from './performRanking';
import { hasSameParameters, readForm } from './readForm';
import type { SavedColumn, SavedComparison, SavedRanking } from './rerankRecord';

export interface ComparisonWork {
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
