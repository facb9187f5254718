import { partsOf, readRecords } from '../../batch/results/readRecords';
import { errorInsteadOfResults, readResult } from '../../batch/results/resultLine';
import type { Failure, ResultOutcome } from '../../batch/results/resultLine';
import type { JsonObject } from '../../batch/scan/jsonValue';
import { isMakingError } from '../../batch/making/makingError';
import { BatchUsage, type ModelUsage } from './batchUsage';
import { parsePart, parseResult } from '../../batch/results/parseResult';
import type { LineText } from '../../batch/transform/lines';

export interface ResultFileFacts {
  /** Number of results; of a file of lines, those that are not blank. */
  readonly lines: number;
  /** Number of results by outcome, without results that are too long to be read. */
  readonly counts: OutcomeCounts;
  /** The first error, if no request was answered. */
  readonly failure?: Failure;
  /** The usage of its results, by model. */
  readonly usage: readonly ModelUsage[];
  /** Whether the file ends within a result. */
  readonly isTorn: boolean;
  /** Whether the file is empty or has results, as far as can be determined. */
  readonly isResults: boolean;
  /** The error that the service sent instead of results. */
  readonly serviceError?: string | undefined;
}

export type OutcomeCounts = Readonly<Partial<Record<ResultOutcome, number>>>;

/** Maximum length, in bytes, of a result that is parsed. */
const longestRead = 16 * 1024 * 1024;
/** Maximum length, in characters, of a text that is searched for the service's error. */
const longestError = 10_000;
/** In characters, of the error that is stored. */
const longestMessage = 500;
const longestCode = 100;

/** Checks a result file of any size without loading it into memory. Throws file system errors. */
export async function checkResultFile(path: string, signal?: AbortSignal): Promise<ResultFileFacts> {
  const counts: Partial<Record<ResultOutcome, number>> = {};
  const usage = new BatchUsage();
  let [lines, results, isTorn] = [0, 0, false];
  let serviceError: string | undefined;
  let failure: Failure | undefined;
  const onLongLine = () => {
    lines += 1;
    results += 1;
  };
  const add = ({ text, isEnded }: LineText, value: JsonObject | undefined): boolean => {
    const result = value && readResult(value);
    isTorn = !value && !isEnded;
    if (!result) {
      serviceError ??= errorInsteadOfResults(text.slice(0, longestError));
      return false;
    }
    results += 1;
    if (result.outcome === 'failed') failure ??= result.failure;
    usage.add(result);
    counts[result.outcome] = (counts[result.outcome] ?? 0) + 1;
    return true;
  };
  try {
    for await (const records of readRecords(path, { onLongLine, ...(signal && { signal }) })) {
      for (const record of records) {
        if (record.size > longestRead) {
          onLongLine();
          continue;
        }
        const parts = add(record, parseResult(record.text)) ? [] : partsOf(record);
        for (const part of parts) add(part, parsePart(part.text, part.isEnded));
        lines += parts.filter(({ size }) => size > 0).length || Number(record.size > 0);
      }
    }
  } catch (error) {
    if (!isMakingError(error)) throw error;
    return { lines: 1, counts, usage: [], isTorn: false, isResults: false };
  }
  const isResults = lines === 0 || results > 0;
  return {
    lines,
    counts,
    usage: usage.models,
    isTorn,
    isResults,
    ...(failure &&
      counts.answered === undefined && {
        failure: { code: failure.code.slice(0, longestCode), message: failure.message.slice(0, longestMessage) },
      }),
    ...(!isResults && serviceError !== undefined && { serviceError: serviceError }),
  };
}
