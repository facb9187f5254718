import * as l10n from '@vscode/l10n';
import type { ToolHost, AgentText, FoundPassages } from '../../../core/agentTools/toolHost';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { apiErrorMessage, unrankedMessage } from '../../../core/agentTools/errorMessages';
import { isApiError } from '../../../core/api/errors';
import { rankInSlices } from '../../../core/ranking/rankInSlices';
import { usualLimits } from '../../../core/ranking/slices';
import { passagesOf } from '../../../core/search/find/finding';
import { isLarge } from '../../../core/search/find/findPassages';
import { openAccount, find, wayOfFinding } from '../../../services/search/search';
import type { WorkspaceFinding } from '../../../services/search/search';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { openTexts } from '../../../platform/workspace/workspaceTexts';
import type { Services } from '../../../services/services';
import type { ProvidedFile, WorkspaceFiles } from './workspaceFiles';

const limits = { files: 1000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/** Ranks and searches, within the profile's budget and the tools' own. */
export function createSearchTools(services: Services, workspaceFiles: WorkspaceFiles) {
  const { activity, connections, context } = services;
  const working = async <T>(label: string, work: () => Promise<T>): Promise<T> => {
    const running = activity.start(label, { kind: 'tool', paid: true });
    return work().finally(() => running.dispose());
  };
  return {
    rerank: (request, signal) =>
      working(l10n.t('Reranking documents'), async () => {
        const client = await connections.client(undefined, { purpose: 'tools' });
        const list = await rankInSlices(
          (slice, ending) => client.rerank.create(slice, ending),
          request,
          { limits: usualLimits },
          signal,
        );
        signal.throwIfAborted();
        return list;
      }),
    readTexts: async (paths, signal) =>
      readTexts(
        await Promise.all(paths.map(async (path) => ({ path, ...(await workspaceFiles.find(path)) }))),
        services,
        signal,
      ),
    findPlaces: ({ question, include, exclude, limit }, signal) =>
      working(l10n.t('Running a semantic search'), async () => {
        const account = await openAccount(services, { purpose: 'tools' });
        signal.throwIfAborted();
        const { by } = wayOfFinding(services.settings, context);
        const choice = { ...(include && { include }), ...(exclude && { exclude }) };
        let isByWords = false;
        const found = await find({ question, by, ...choice }, account, services, {
          signal,
          onProgress: () => undefined,
          // A tool cannot ask for confirmation, so large workspaces are searched by words.
          confirm: async (wanted) => {
            isByWords = isLarge(wanted);
            return !isByWords;
          },
        });
        return toFoundPlaces(found, limit, isByWords);
      }),
  } satisfies Partial<ToolHost>;
}

async function readTexts(
  files: readonly (ProvidedFile & { readonly path: string })[],
  { settings }: Services,
  signal: AbortSignal,
): Promise<readonly AgentText[]> {
  // A generated file may be outside of the workspace; it has already been checked.
  const guard = await WorkspaceGuard.open(settings, { allowsElsewhere: true });
  const texts = new Map<string, string>();
  for await (const { uri, text } of openTexts(
    files.map(({ uri }) => uri),
    { ...limits, guard },
    signal,
  ).texts) {
    texts.set(uri.toString(), text);
  }
  const missing = files.filter(({ uri }) => !texts.has(uri.toString())).map(({ path }) => `"${path}"`);
  if (missing.length > 0) {
    throw new AgentProblem(`Not UTF-8 text of up to 4 MB: ${missing.slice(0, 10).join(', ')}. Omit these files.`);
  }
  return files.map(({ uri, shown }) => ({ path: shown, text: texts.get(uri.toString())! }));
}

function toFoundPlaces(found: WorkspaceFinding, limit: number, isByWords: boolean): FoundPassages {
  const { candidates, ranking } = found;
  const isRanked = ranking !== undefined && ranking.list.unranked === undefined;
  // Scores of unranked passages are on a different scale.
  const places = passagesOf(found).filter(({ scoredBy }) => !isRanked || scoredBy === 'rerank');
  return {
    places: places.slice(0, limit).map(({ path, range, score, text }) => ({
      path,
      startLine: range.start.line + 1,
      endLine: range.end.line + 1,
      score,
      text,
    })),
    scoredBy: isRanked ? 'rerank' : candidates.by,
    files: candidates.files,
    notes: [...leftOutNotes(found), ...troubleNotes(found), ...(isByWords ? [byWordsNote] : [])],
  };
}

const byWordsNote =
  'The workspace is large, so the candidates were selected by shared words. Select folders with "include", or use words from the files.';

function leftOutNotes({ candidates: { leftOut } }: WorkspaceFinding): readonly string[] {
  const { overLimit, tooLarge, notText, unreadable } = leftOut;
  const count = overLimit + tooLarge + unreadable;
  return [
    ...(count > 0 ? [`${count} files were skipped because they are too large, too many, or unreadable.`] : []),
    ...(notText > 0 ? [`${notText} files do not contain text.`] : []),
  ];
}

function troubleNotes({ trouble }: WorkspaceFinding): readonly string[] {
  if (!trouble) return [];
  if (trouble.kind === 'noReranker')
    return ['The account does not have a reranker, so the passages are sorted by similarity.'];
  if (trouble.kind === 'unranked') return [unrankedMessage(trouble.unranked, trouble.model)];
  const { error } = trouble;
  return [`Ranking failed for some passages. ${isApiError(error) ? apiErrorMessage(error) : messageOf(error)}`];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
