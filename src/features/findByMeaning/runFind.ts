import '../../core/api/jitless';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { passagesOf } from '../../core/search/find/finding';
import { isLarge, mostCandidates } from '../../core/search/find/findPassages';
import { areUsableGlobs } from '../../core/search/searchGlobs';
import { longestGlob, mostWildcards } from '../../core/workspace/globs';
import { openAccount, find, wayOfFinding } from '../../services/search/search';
import { isCancellation } from '../../platform/errors/report';
import { describe } from '../../platform/errors/reportError';
import type { UsageLedger } from '../../core/usage/usageLedger';
import type { Services } from '../../services/services';
import { foreignLine } from '../../core/text/foreignText';

const globs = z
  .string()
  .check(
    z.maxLength(2000),
    z.refine(areUsableGlobs, `A pattern has more than ${longestGlob} characters or ${mostWildcards} wildcards`),
  );

/** Argument of `inferenceDesk.findByMeaning.run`. */
const findRequest = z.strictObject({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(10_000)),
  include: z.optional(globs),
  exclude: z.optional(globs),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(mostCandidates))),
  signal: z.optional(z.instanceof(AbortSignal)),
});

/** A part of a file that answers a question. Part of the API documented in the README for other extensions. */
export interface FoundPassage {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** Comparable only with scores of the same result. */
  readonly score: number;
  readonly text: string;
}

/** Most characters of an error, which VS Code shows as a notification if a key binding ran the command. */
const mostWords = 900;

/**
 * For other extensions: shows nothing and asks nothing. Rejects with a localized `Error`. Without a reranker, or if it fails, the scores
 * are those of the candidate search.
 */
export async function runFind(request: unknown, services: Services, ledger: UsageLedger): Promise<FoundPassage[]> {
  const parsed = findRequest.safeParse(request);
  if (!parsed.success)
    throw new Error(foreignLine(`inferenceDesk.findByMeaning.run: ${z.prettifyError(parsed.error)}`, mostWords));
  const { query, include = '', exclude = '', limit = 20, signal = new AbortController().signal } = parsed.data;
  signal.throwIfAborted();
  const work = services.activity.start(vscode.l10n.t('Finding by meaning'), { paid: true });
  try {
    const account = await openAccount(services, ledger);
    signal.throwIfAborted();
    const { by } = wayOfFinding(services.settings, services.context);
    const found = await find({ question: query, include, exclude, by }, account, services, {
      signal,
      onProgress: () => undefined,
      // There is no user to ask.
      confirm: async (wanted) => !isLarge(wanted),
    });
    const places = passagesOf(found).filter(({ scoredBy }) => !found.ranking || scoredBy === 'rerank');
    return places.slice(0, limit).map(({ uri, range, score, text }) => ({ uri, range, score, text }));
  } catch (error) {
    if (signal.aborted || isCancellation(error)) throw error;
    const { title, detail } = describe(error);
    throw new Error(foreignLine(`${title}. ${detail}`, mostWords), { cause: error });
  } finally {
    work.dispose();
  }
}
