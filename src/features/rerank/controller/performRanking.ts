import { rankInSlices } from '../../../core/ranking/rankInSlices';
import type { CreateRanking, RankedSlice } from '../../../core/ranking/rankInSlices';
import { usualLimits } from '../../../core/ranking/slices';
import type { WireError } from '../../../protocol/wire';
import type { SourceDocuments } from './documents';
import type { SavedRanking, SavedSlice, RankParameters } from './rerankRecord';

export interface RankingWork {
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
